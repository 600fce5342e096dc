/** What every operation of the sandbox is given: its transaction, the time, and who asked. */

import type { Tx } from './database.ts';

export interface OperationContext {
  tx: Tx;
  /** Unix seconds of the sandbox's clock, with fractions. */
  now: number;
  /** Origin of the hosted pages. */
  publicUrl: string;
  /** The API request that causes this, as its events name it; null when a page or the clock does. */
  request: { id: string; idempotency_key: string | null } | null;
  /** The connected account named by Stripe-Account; null for the platform. */
  account: string | null;
}

/** The moment as Stripe writes it on most objects. */
export const timestamp = (ctx: Pick<OperationContext, 'now'>) => Math.floor(ctx.now);

/** The moment as v2 objects carry it. */
export const rfc3339 = (unixSeconds: number) => new Date(Math.floor(unixSeconds * 1000)).toISOString();
