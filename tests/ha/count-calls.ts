/** Counts calls, and those that people would have seen fail. */
export interface Calls {
  made: number;
  /** Without an answer yet. */
  underway: number;
  /** What people were shown, or that there was no answer, with the time since the first call. */
  failures: string[];
  /** Null after a failure. */
  seen<A extends Answer>(what: string, call: () => Promise<A>): Promise<A | null>;
  /** After a failure, how the answer says when to come back. */
  tried<A extends Answer>(what: string, call: () => Promise<A>): Promise<{ answer: A } | Failure>;
}

interface Answer {
  status: number;
  headers: Headers;
}

export interface Failure {
  answer: null;
  failure: string;
  retryAfter: string | null;
}

export function countCalls(): Calls {
  const start = Date.now();
  const calls: Calls = {
    made: 0,
    underway: 0,
    failures: [],
    async seen(what, call) {
      return (await calls.tried(what, call)).answer;
    },
    async tried(what, call) {
      calls.made++;
      calls.underway++;
      const answer = await call().catch((error: Error) => error);
      calls.underway--;
      if (!(answer instanceof Error) && answer.status < 400) return { answer };
      const problem =
        answer instanceof Error ? `${answer.message} ${String(answer.cause ?? '')}` : await textOf(answer);
      const failure = `${((Date.now() - start) / 1000).toFixed(1)} s, ${what}: ${problem}`;
      calls.failures.push(failure);
      return { answer: null, failure, retryAfter: answer instanceof Error ? null : answer.headers.get('retry-after') };
    },
  };
  return calls;
}

const textOf = async (answer: Answer) =>
  `${answer.status} ${answer instanceof Response ? await answer.text() : JSON.stringify('body' in answer ? answer.body : null)}`;
