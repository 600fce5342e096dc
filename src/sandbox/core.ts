/** What the parts of a running sandbox share. */

import type pg from 'pg';
import type { Tx } from './database.ts';
import { inTransaction } from './database.ts';
import type { Faults } from './faults.ts';
import type { InflightCalls } from './inflight-calls.ts';
import type { OperationContext } from './operation-context.ts';
import type { Recorder } from './recorder.ts';
import type { SandboxClock, Scheduler } from './scheduler.ts';
import type { WebhookDispatcher } from './webhook-dispatcher.ts';

/** What the hosted pages need: they may run in another process than the rest. */
export interface PageCore {
  pool: pg.Pool;
  clock: Pick<SandboxClock, 'now'>;
  publicUrl: string;
  secretKey: string;
  isConsoleOpen: boolean;
  webhooks: Pick<WebhookDispatcher, 'wake'>;
  scheduler: Pick<Scheduler, 'advance'>;
}

export interface Core extends PageCore {
  clock: SandboxClock;
  faults: Faults;
  recorder: Recorder;
  webhooks: WebhookDispatcher;
  scheduler: Scheduler;
  inflightCalls: InflightCalls;
}

export const unixNow = ({ clock }: Pick<PageCore, 'clock'>) => clock.now().getTime() / 1000;

export function contextFor(
  core: Pick<PageCore, 'clock' | 'publicUrl'>,
  tx: Tx,
  more: Partial<Pick<OperationContext, 'request' | 'account'>> = {},
): OperationContext {
  return { tx, now: unixNow(core), publicUrl: core.publicUrl, request: null, account: null, ...more };
}

/** One step of a hosted page: a transaction, then whatever it set off. */
export async function runOperation<T>(core: PageCore, step: (ctx: OperationContext) => Promise<T>): Promise<T> {
  const result = await inTransaction(core.pool, (tx) => step(contextFor(core, tx)));
  core.webhooks.wake();
  return result;
}
