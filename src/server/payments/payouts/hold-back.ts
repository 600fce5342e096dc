/** What the brakes hold back of a payout, and when the rest of it is sent. */
import { type HeldPart, heldParts, sendsAfter } from '#domain/payouts/brakes.ts';
import { brakesOf } from '#server/accounts/plans/reserve.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import { hasPayouts } from './reserves.sql.ts';

interface BrakedPayout {
  /** With what is held back, and what is sent. */
  statement: SettledStatement;
  held: HeldPart[];
  /** Null: at once. */
  sendAfter: Date | null;
}

/** Only stable while the caller locks the organization. */
export async function readBrakes(
  db: Db,
  { payoutBrakes }: Pick<Deps, 'payoutBrakes'>,
  organizationId: string,
): Promise<(statement: SettledStatement, requestedAt: Date) => BrakedPayout> {
  const brakes = await brakesOf(db, payoutBrakes, organizationId);
  const isFirst = !(await hasPayouts(db, organizationId));
  return (statement, requestedAt) => {
    const claim = { isFirst, brakes, requestedAt };
    const held = heldParts(statement.netCents, claim);
    return { statement: withHeld(statement, held), held, sendAfter: sendsAfter(claim) };
  };
}

function withHeld(statement: SettledStatement, held: readonly HeldPart[]): SettledStatement {
  if (held.length === 0) return statement;
  return {
    ...statement,
    held: held.map(({ kind, cents, dueAt }) => ({ kind, cents, until: dueAt.toISOString() })),
    netCents: held.reduce((net, { cents }) => net - cents, statement.netCents),
  };
}
