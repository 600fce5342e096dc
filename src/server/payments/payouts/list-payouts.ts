/** Payout state and statement of each event: a live estimate until it is requested, the stored statement afterwards. */
import type { OrganizerEvent } from '#contract/app/events.ts';
import { dollarsOf } from '#domain/money.ts';
import type { PayoutBrakes } from '#domain/payouts/brakes.ts';
import { denyPayout, type PayoutDenial, settlesAt } from '#domain/settlement.ts';
import { type Hold, holdsOf } from '#server/payments/holds/holds.sql.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readBrakes } from './hold-back.ts';
import { cardFeesOfSales } from './payout-sums.sql.ts';
import { eventRowsForPayout, eventsWithOpenObjections, payoutRows } from './payouts.sql.ts';
import { BY_TOTALS, settledStatements } from './settled-statement.ts';
import { statementReply } from './statement-reply.ts';

type Payout = OrganizerEvent['payout'];

export async function listPayouts(
  { db, payoutBrakes }: Pick<Deps, 'db' | 'payoutBrakes'>,
  eventIds: readonly string[],
): Promise<(eventId: string) => Payout> {
  const events = await eventRowsForPayout(db, eventIds);
  const payouts = await payoutRows(db, eventIds);
  const statementOf = await settledStatements(db, events, BY_TOTALS);
  const brakeOf = await brakesOf(db, payoutBrakes, events);
  const holds = await holdsOf(db, eventIds);
  const cardFees = await cardFeesOfSales(db, eventsToBearCosts(events));
  const withObjections = await eventsWithOpenObjections(db, eventIds);

  return (eventId) => {
    const event = events.find((row) => row.id === eventId);
    if (!event) throw new Error(`event ${eventId} not found`);
    const [payout, ...additional] = payouts.filter((row) => row.eventId === eventId);
    const due = statementOf(event);
    const { latestEndsAt: endsAt, cancelledAt, now } = event;
    const hasOpenObjections = withObjections.has(eventId);
    const standing = { endsAt, cancelledAt, isPaidOut: false, hasOpenObjections };
    const denial = payout ? null : denyPayout(standing, due, now);
    const opensAt = settlesAt(endsAt);
    // An estimate is braked as if the payout were requested as early as possible.
    const statement = payout?.statement ?? brakeOf(event)(due, now < opensAt ? opensAt : now).statement;
    return {
      state: payout?.state ?? (denial ? STATES[denial] : 'open'),
      denial: denial,
      opensAt: opensAt.toISOString(),
      sendsAt: payout?.sendAfter?.toISOString() ?? null,
      paidAt: payout?.paidAt?.toISOString() ?? null,
      cancelCosts: dollarsOf(cardFees.find((row) => row.eventId === eventId)?.cents ?? 0),
      hold: brakeReply(holds.get(eventId)),
      statement: statementReply(statement),
      further: additional.map((row) => ({
        state: row.state,
        requestedAt: row.requestedAt.toISOString(),
        paidAt: row.paidAt?.toISOString() ?? null,
        statement: statementReply(row.statement),
      })),
    };
  };
}

/** All events of a list are usually of one organization. */
async function brakesOf(db: Db, payoutBrakes: PayoutBrakes, events: readonly { organizationId: string }[]) {
  const brakes = new Map<string, Awaited<ReturnType<typeof readBrakes>>>();
  for (const { organizationId } of events) {
    if (!brakes.has(organizationId)) brakes.set(organizationId, await readBrakes(db, { payoutBrakes }, organizationId));
  }
  return ({ organizationId }: { organizationId: string }) => {
    const brake = brakes.get(organizationId);
    if (!brake) throw new Error(`no brakes of organization ${organizationId} were read`);
    return brake;
  };
}
/** Those that can still be cancelled. */
const eventsToBearCosts = (events: Awaited<ReturnType<typeof eventRowsForPayout>>) =>
  events
    .filter(
      ({ feeTerms, cancelledAt, payoutRequestedAt }) =>
        feeTerms.refundCosts === 'organizer' && !(cancelledAt ?? payoutRequestedAt),
    )
    .map(({ id }) => id);

const brakeReply = (hold: Hold | undefined) => (hold ? { ...hold, since: hold.since.toISOString() } : null);

const STATES: Record<PayoutDenial, Payout['state']> = {
  'event-cancelled': 'cancelled',
  'too-early': 'too-early',
  'objections-open': 'objections-open',
  'nothing-sold': 'nothing-to-pay',
  'only-free-tickets': 'nothing-to-pay',
  'all-disputed': 'nothing-to-pay',
  'fees-exceed-sales': 'nothing-to-pay',
  'already-paid-out': 'paid',
};
