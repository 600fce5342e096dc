/** Context of one operation: its transaction, the sandbox's time, and the caller. */

import type { Tx } from './database.ts';

export interface OperationContext {
  tx: Tx;
  /** Fractional Unix seconds on the sandbox's clock. */
  now: number;
  /** Origin of the hosted pages. */
  publicUrl: string;
  /** The API request as events report it. Null for hosted pages and the clock. */
  request: { id: string; idempotency_key: string | null } | null;
  /** The connected account in the Stripe-Account header. Null for the platform. */
  account: string | null;
}

/** The time as v1 objects carry it. */
export const timestamp = (ctx: Pick<OperationContext, 'now'>) => Math.floor(ctx.now);

/** The time as v2 objects carry it. */
export const rfc3339 = (unixSeconds: number) => new Date(Math.floor(unixSeconds * 1000)).toISOString();
