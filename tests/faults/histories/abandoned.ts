/** Crashes without ending the process: a use case that never gets past one of its calls to the card company. */
import type { Deps } from '#server/platform/deps.ts';

export const CRASHED = Symbol('crashed');

/** On which side of the call the server ends: the card company has not heard of it, or has done it and nobody knows. */
export type Moment = 'before' | 'after';

/** Reads what a notice says, here, without asking anyone. */
const WITHOUT_CALL = new Set(['readNotice', 'hintOf']);

export interface Crash {
  moment: Moment;
  /** Which of the use case's calls it is, from 1. */
  call: number;
}

/** Runs a use case up to one of its calls to the card company. What was not committed by then never is. */
export function abandoned<T>(
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
    useCase(interrupted(deps, moment, never, () => ++calls === call)).then(resolve, reject);
  });
}

/** The product's view of the card company, whose calls end in `end` when `isDue` says so. */
export function interrupted(deps: Deps, moment: Moment, end: () => Promise<never>, isDue: () => boolean): Deps {
  const withEnds = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || WITHOUT_CALL.has(String(name))) return member;
        return async (...given: unknown[]): Promise<unknown> => {
          const due = isDue();
          if (due && moment === 'before') return end();
          const answer: unknown = await Reflect.apply(member, target, given);
          return due ? end() : answer;
        };
      },
    });
  return { ...deps, cards: withEnds(deps.cards), payoutAccounts: withEnds(deps.payoutAccounts) };
}
