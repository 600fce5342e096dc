/** Dependencies shared by the API server, the hosted pages and the background tasks. */

import type pg from 'pg';
import type { Tx } from './database.ts';
import { inTransaction } from './database.ts';
import type { Faults } from './faults.ts';
import type { InflightCalls } from './inflight-calls.ts';
import type { OperationContext } from './operation-context.ts';
import type { Recorder } from './recorder.ts';
import type { SandboxClock, Scheduler } from './scheduler.ts';
import type { WebhookDispatcher } from './webhooks/webhook-dispatcher.ts';

/** The subset that hosted pages use. They can run in another process than the API. */
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

/** Runs one operation in a transaction, then starts delivery of the events it queued. */
export async function runOperation<T>(core: PageCore, operation: (ctx: OperationContext) => Promise<T>): Promise<T> {
  const result = await inTransaction(core.pool, (tx) => operation(contextFor(core, tx)));
  core.webhooks.wake();
  return result;
}
