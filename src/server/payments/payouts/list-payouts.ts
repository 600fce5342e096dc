/** Where each event's payout stands, with its statement: before it is asked for as of now, after that as it was. */
import type { OrganizerEvent } from '#contract/events.ts';
import { denyPayout, type PayoutDenial, settlesAt } from '#domain/settlement.ts';
import type { Deps } from '#server/platform/deps.ts';
import { eventRowsForPayout, payoutRows } from './payouts.sql.ts';
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

  return (eventId) => {
    const event = events.find((one) => one.id === eventId);
    if (!event) throw new Error(`event ${eventId} is gone`);
    const [payout, ...further] = payouts.filter((one) => one.eventId === eventId);
    const statement = payout?.statement ?? statementOf(event);
    const { latestEndsAt: endsAt, cancelledAt, now } = event;
    const obstacle = payout ? null : denyPayout({ endsAt, cancelledAt, isPaidOut: false }, statement, now);
    return {
      state: payout?.state ?? (obstacle ? STATES[obstacle] : 'open'),
      obstacle,
      opensAt: settlesAt(endsAt).toISOString(),
      paidAt: payout?.paidAt?.toISOString() ?? null,
      statement: statementReply(statement),
      further: further.map((one) => ({
        state: one.state,
        requestedAt: one.requestedAt.toISOString(),
        paidAt: one.paidAt?.toISOString() ?? null,
        statement: statementReply(one.statement),
      })),
    };
  };
}

const STATES: Record<PayoutDenial, Payout['state']> = {
  'event-cancelled': 'cancelled',
  'too-early': 'too-early',
  'nothing-sold': 'nothing-to-pay',
  'only-free-tickets': 'nothing-to-pay',
  'all-disputed': 'nothing-to-pay',
  'fees-exceed-sales': 'nothing-to-pay',
  'already-paid-out': 'paid',
};
