/** What the parts of a running sandbox share. */

import type pg from 'pg';
import type { CallsUnderWay } from './calls-under-way.ts';
import type { ClockWork, SandboxClock } from './clock-work.ts';
import type { Tx } from './database.ts';
import { inTransaction } from './database.ts';
import type { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';
import type { Recording } from './recording.ts';
import type { Work } from './work.ts';

export interface Core {
  pool: pg.Pool;
  clock: SandboxClock;
  publicUrl: string;
  secretKey: string;
  isConsoleOpen: boolean;
  faults: Faults;
  recording: Recording;
  deliveries: Deliveries;
  clockWork: ClockWork;
  calls: CallsUnderWay;
}

export const nowOf = ({ clock }: Pick<Core, 'clock'>) => clock.now().getTime() / 1000;

export function workFor(core: Core, tx: Tx, more: Partial<Pick<Work, 'request' | 'account'>> = {}): Work {
  return { tx, now: nowOf(core), publicUrl: core.publicUrl, request: null, account: null, ...more };
}

/** One step of a hosted page: a transaction, then whatever it set off. */
export async function asPage<T>(core: Core, step: (work: Work) => Promise<T>): Promise<T> {
  const result = await inTransaction(core.pool, (tx) => step(workFor(core, tx)));
  core.deliveries.wake();
  return result;
}
