/** Simulates crashes without ending the process: a use case that never returns from one of its calls to Stripe. */
import type { Deps } from '#server/platform/deps.ts';

export const CRASHED = Symbol('crashed');

/** Whether the crash comes before Stripe receives the call, or after Stripe has executed it. */
export type Moment = 'before' | 'after';

/** These parse a webhook payload locally and call nothing. */
const LOCAL_METHODS = new Set(['readWebhookEvent', 'webhookSubject']);

export interface Crash {
  moment: Moment;
  /** Index of the call within the use case, from 1. */
  call: number;
}

/** Runs a use case up to one of its calls to Stripe. What is uncommitted by then is lost. */
export function crashInCall<T>(
  deps: Deps,
  { moment, call }: Crash,
  useCase: (deps: Deps) => Promise<T>,
): Promise<T | typeof CRASHED> {
  return new Promise((resolve, reject) => {
    const never = () => {
      resolve(CRASHED);
      return new Promise<never>(() => {});
    };
    let calls = 0;
    useCase(withCrashes(deps, moment, never, () => ++calls === call)).then(resolve, reject);
  });
}

/** Wraps the Stripe port: calls for which `isDue` returns true stop in `end`. */
export function withCrashes(deps: Deps, moment: Moment, end: () => Promise<never>, isDue: () => boolean): Deps {
  const withEnds = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || LOCAL_METHODS.has(String(name))) return member;
        return async (...given: unknown[]): Promise<unknown> => {
          const due = isDue();
          if (due && moment === 'before') return end();
          const answer: unknown = await Reflect.apply(member, target, given);
          return due ? end() : answer;
        };
      },
    });
  return { ...deps, paymentProcessor: withEnds(deps.paymentProcessor), payoutAccounts: withEnds(deps.payoutAccounts) };
}
