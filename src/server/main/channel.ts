/** Questions and answers between two processes, over the channel that Node opens between them. */
import * as z from 'zod/mini';
import { sample } from '#server/platform/metrics/sample.ts';

/** What this side answers, by the question's name. */
export type Answers = Record<string, (given: unknown) => unknown>;

export interface Channel {
  /** @throws when there is no answer in time, or no other side any more */
  ask(question: string, options?: { given?: unknown; withinMs?: number }): Promise<unknown>;
}

/** One end of the channel: `process` in a worker, the worker in the first process. */
interface End {
  send?(message: object, onSent: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

const message = z.union([
  z.strictObject({ ask: z.int(), question: z.string(), given: z.optional(z.unknown()) }),
  z.strictObject({ reply: z.int(), answer: z.optional(z.unknown()) }),
]);

const WITHIN_MS = 5_000;

export function openChannel(end: End, answers: Answers): Channel {
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;

  end.on('message', (said) => {
    const { data } = message.safeParse(said);
    if (!data) return;
    if ('reply' in data) return waiting.get(data.reply)?.(data.answer);
    const answering = answers[data.question];
    if (!answering) return;
    // A question that fails has no answer: who asked stops waiting for it.
    void Promise.resolve(data.given)
      .then(answering)
      .then((answer) => end.send?.({ reply: data.ask, answer }, () => {}))
      .catch(() => {});
  });

  return {
    ask(question, { given, withinMs = WITHIN_MS } = {}) {
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => finish(() => reject(new Error(`no answer to "${question}"`))), withinMs);
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          waiting.delete(id);
          settle();
        };
        waiting.set(id, (answer) => finish(() => resolve(answer)));
        end.send?.({ ask: id, question, given }, (error) => {
          if (error) finish(() => reject(error));
        });
      });
    },
  };
}

/** Answered to a worker that asks what to do. */
export const assignment = z.strictObject({
  address: z.strictObject({ connectionString: z.string(), role: z.nullable(z.string()) }),
  sandboxPort: z.nullable(z.int()),
  isFirst: z.boolean(),
});
export type Assignment = z.infer<typeof assignment>;

/** Why a worker cannot start, as it would be printed. */
export const failure = z.strictObject({ words: z.string(), code: z.int() });

export const measurements = z.array(sample);
