/** Requests the payout of an event: once, in full, from 24 hours after its end. */

import { dollarsOf } from '#domain/money.ts';
import type { HeldPart } from '#domain/payouts/brakes.ts';
import { denyPayout } from '#domain/settlement.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { requireActivePayoutAccount } from '#server/accounts/payout-account.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { closeForPayout } from '#server/events/close-for-payout.ts';
import { clearDiscrepancies, recordDiscrepancy } from '#server/payments/discrepancies/record-discrepancy.ts';
import { holdsOf } from '#server/payments/holds/holds.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import { completePayout } from './complete-payout.ts';
import { readBrakes } from './hold-back.ts';
import { putDisputedOnHold } from './on-hold.ts';
import {
  eventsWithOpenObjections,
  eventToPayOut,
  hasRefundUnderWay,
  insertPayout,
  lockEventToPayOut,
  type NewPayout,
  type PayoutRef,
} from './payouts.sql.ts';
import { insertReserves } from './reserves.sql.ts';
import { sendPayout } from './send-payout.ts';
import { agreesWithTheLedger, settledStatements } from './settled-statement.ts';

type RequestDeps = Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'payoutBrakes' | 'rateLimiter' | 'log'>;

/** Organizers request the first payout only. Additional payouts are claimed automatically. */
const FIRST = 1;

export async function requestPayout(
  deps: RequestDeps,
  actor: Actor,
  eventId: string,
): Promise<{ totalPayout: number }> {
  await consumeLimit(deps.rateLimiter, 'request-payout', actor.userId);
  await authorizeEvent(deps, actor, 'payout.request', eventId);
  return payOut(deps, { organizationId: actor.organizationId, eventId }, { by: actor });
}

/** For a member who asks, or an organization that chose automatic payouts. */
export async function payOut(
  deps: Omit<RequestDeps, 'rateLimiter'>,
  { organizationId, eventId }: { organizationId: string; eventId: string },
  asked: { by: Actor } | { actorKind: 'job' },
): Promise<{ totalPayout: number }> {
  // Checked first: an event that pays nothing needs no Stripe account.
  const event = await eventToPayOut(deps.db, organizationId, eventId);
  await requireDue(deps.db, event);
  const accountId = await requireActivePayoutAccount(deps, organizationId);

  const claim = await inTransaction(deps.db, async (tx) => {
    const locked = await lockEventToPayOut(tx, organizationId, eventId);
    await lockOrganization(tx, organizationId);
    const statement = await requireDue(tx, locked);
    // Tickets and ledger are written in the same transactions. If they disagree, an operator checks before money moves.
    if (!(await agreesWithTheLedger(tx, eventId, statement))) return { statement, payout: null };
    await clearDiscrepancies(tx, eventId);
    const brake = await readBrakes(tx, deps, organizationId);
    const { now: requestedAt, ...due } = statement;
    const payout = await claimPayout(tx, { eventId, accountId, requestedAt, ...brake(due, requestedAt) });
    await recordAuditEvent(tx, {
      action: 'request-payout',
      ...asked,
      subject: payout.payoutId,
      eventId,
      at: requestedAt,
    });
    return { statement: payout.statement, payout };
  });
  if (!claim.payout) return denyMismatch(deps, eventId, claim.statement);

  await sendNow(deps, claim.payout);
  return { totalPayout: dollarsOf(claim.statement.netCents) };
}

async function requireDue(
  db: Db,
  event: Awaited<ReturnType<typeof eventToPayOut>>,
): Promise<SettledStatement & { now: Date }> {
  if (!event) throw new AppError('event.not-found');
  const statement = (await settledStatements(db, [event]))(event);
  const { latestEndsAt: endsAt, cancelledAt, payoutRequestedAt, now } = event;
  const hasOpenObjections = (await eventsWithOpenObjections(db, [event.id])).has(event.id);
  const standing = { endsAt, cancelledAt, isPaidOut: payoutRequestedAt !== null, hasOpenObjections };
  const denial = denyPayout(standing, statement, now);
  if (denial) throw new AppError(`payout.${denial}`);
  if (await hasRefundUnderWay(db, event.id)) throw new AppError('payout.refunds-under-way');
  const hold = (await holdsOf(db, [event.id])).get(event.id);
  if (hold) throw new AppError('payout.on-hold', { reason: hold.reason });
  return { ...statement, now };
}

async function denyMismatch(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  eventId: string,
  statement: SettledStatement,
): Promise<never> {
  log.error({ eventId, statement }, 'denied a payout: the ledger and the tickets disagree');
  await recordDiscrepancy(db, { kind: 'payout', subject: eventId, eventId, cents: statement.netCents });
  throw new AppError('payout.books-disagree');
}

type Claim = Pick<NewPayout, 'eventId' | 'accountId' | 'requestedAt' | 'sendAfter' | 'statement'> & {
  held: readonly HeldPart[];
};

async function claimPayout(tx: Db, { held, ...claim }: Claim): Promise<PayoutRef & { statement: SettledStatement }> {
  const { eventId, statement, requestedAt } = claim;
  const payoutId = newId();
  const payout = { id: payoutId, seq: FIRST, cents: statement.netCents, ...claim };
  if (!(await insertPayout(tx, payout))) throw new AppError('payout.already-paid-out');
  await insertReserves(tx, { eventId, payoutId }, held);
  await closeForPayout(tx, eventId, requestedAt);
  await putDisputedOnHold(tx, { eventId, payoutId });
  if (statement.netCents === 0) await completePayout(tx, { eventId, payoutId }, null);
  return { eventId, payoutId, statement };
}

/** The payout is already claimed, so a failure at Stripe only delays it. */
async function sendNow(deps: Omit<RequestDeps, 'rateLimiter'>, payout: PayoutRef): Promise<void> {
  try {
    await sendPayout(deps, payout);
  } catch (error) {
    if (!(error instanceof ProcessorUnreachable || error instanceof ProcessorDenied)) throw error;
    deps.log.warn({ err: error, ...payout }, 'could not send a payout yet');
  }
}
