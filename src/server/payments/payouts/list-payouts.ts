/** Payout state and statement of each event: a live estimate until it is requested, the stored statement afterwards. */
import type { OrganizerEvent } from '#contract/app/events.ts';
import { denyPayout, type PayoutDenial, settlesAt } from '#domain/settlement.ts';
import type { Deps } from '#server/platform/deps.ts';
import { eventRowsForPayout, eventsWithOpenObjections, payoutRows } from './payouts.sql.ts';
import { BY_TOTALS, settledStatements } from './settled-statement.ts';
import { statementReply } from './statement-reply.ts';

type Payout = OrganizerEvent['payout'];

export async function listPayouts(
  { db }: Pick<Deps, 'db'>,
  eventIds: readonly string[],
): Promise<(eventId: string) => Payout> {
  const events = await eventRowsForPayout(db, eventIds);
  const payouts = await payoutRows(db, eventIds);
  const statementOf = await settledStatements(db, events, BY_TOTALS);
  const withObjections = await eventsWithOpenObjections(db, eventIds);

  return (eventId) => {
    const event = events.find((row) => row.id === eventId);
    if (!event) throw new Error(`event ${eventId} not found`);
    const [payout, ...additional] = payouts.filter((row) => row.eventId === eventId);
    const statement = payout?.statement ?? statementOf(event);
    const { latestEndsAt: endsAt, cancelledAt, now } = event;
    const hasOpenObjections = withObjections.has(eventId);
    const standing = { endsAt, cancelledAt, isPaidOut: false, hasOpenObjections };
    const denial = payout ? null : denyPayout(standing, statement, now);
    return {
      state: payout?.state ?? (denial ? STATES[denial] : 'open'),
      denial: denial,
      opensAt: settlesAt(endsAt).toISOString(),
      paidAt: payout?.paidAt?.toISOString() ?? null,
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
