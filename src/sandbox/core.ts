/** What the parts of a running sandbox share. */

import type pg from 'pg';
import type { CallsUnderWay } from './inflight-calls.ts';
import type { ClockWork, SandboxClock } from './scheduler.ts';
import type { Tx } from './database.ts';
import { inTransaction } from './database.ts';
import type { Deliveries } from './webhook-dispatcher.ts';
import type { Faults } from './faults.ts';
import type { Recording } from './recording.ts';
import type { Work } from './operation-context.ts';

/** What the hosted pages need: they may run in another process than the rest. */
export interface PageCore {
  pool: pg.Pool;
  clock: Pick<SandboxClock, 'now'>;
  publicUrl: string;
  secretKey: string;
  isConsoleOpen: boolean;
  deliveries: Pick<Deliveries, 'wake'>;
  clockWork: Pick<ClockWork, 'advance'>;
}

export interface Core extends PageCore {
  clock: SandboxClock;
  faults: Faults;
  recording: Recording;
  deliveries: Deliveries;
  clockWork: ClockWork;
  calls: CallsUnderWay;
}

export const nowOf = ({ clock }: Pick<PageCore, 'clock'>) => clock.now().getTime() / 1000;

export function workFor(
  core: Pick<PageCore, 'clock' | 'publicUrl'>,
  tx: Tx,
  more: Partial<Pick<Work, 'request' | 'account'>> = {},
): Work {
  return { tx, now: nowOf(core), publicUrl: core.publicUrl, request: null, account: null, ...more };
}

/** One step of a hosted page: a transaction, then whatever it set off. */
export async function asPage<T>(core: PageCore, step: (work: Work) => Promise<T>): Promise<T> {
  const result = await inTransaction(core.pool, (tx) => step(workFor(core, tx)));
  core.deliveries.wake();
  return result;
}
