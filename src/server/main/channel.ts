/** Request and reply between a worker and the primary process, over Node's IPC channel. */
import * as z from 'zod/mini';

/** Handlers of this side, by question. */
export type Handlers = Record<string, (given: unknown) => unknown>;

export interface Channel {
  /** @throws if no answer arrives in time, or the other process is gone */
  ask(question: string, options?: { given?: unknown; withinMs?: number }): Promise<unknown>;
}

/** One end of the channel: `process` in a worker, the `Worker` in the primary process. */
interface ChannelEnd {
  send?(message: object, onSent: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

const envelope = z.union([
  z.strictObject({ ask: z.int(), question: z.string(), given: z.optional(z.unknown()) }),
  z.strictObject({ reply: z.int(), answer: z.optional(z.unknown()) }),
]);

const TIMEOUT_MS = 5_000;

export function openChannel(end: ChannelEnd, answers: Handlers): Channel {
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;

  end.on('message', (received) => {
    const { data } = envelope.safeParse(received);
    if (!data) return;
    if ('reply' in data) return waiting.get(data.reply)?.(data.answer);
    const handler = answers[data.question];
    if (!handler) return;
    // A handler that fails sends no reply; the caller times out.
    void Promise.resolve(data.given)
      .then(handler)
      .then((answer) => end.send?.({ reply: data.ask, answer }, () => {}))
      .catch(() => {});
  });

  return {
    ask(question, { given, withinMs = TIMEOUT_MS } = {}) {
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

/** What a worker needs to start. */
export const assignment = z.strictObject({
  address: z.strictObject({ connectionString: z.string(), role: z.nullable(z.string()) }),
  sandboxPort: z.nullable(z.int()),
  isFirst: z.boolean(),
});
export type Assignment = z.infer<typeof assignment>;

/** Why a worker cannot start, in printable form. */
export const failure = z.strictObject({ message: z.string(), code: z.int() });
