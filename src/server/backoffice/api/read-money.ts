import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type { listPayouts as payoutsCall } from '#contract/v1/payouts.ts';
import type { listRefunds as refundsCall } from '#contract/v1/refunds.ts';
import { grossWithHoldsOf, ticketsSoldIn } from '#domain/payout-statement.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { isUuid } from '#server/platform/ids.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import { cursorOf, pageOf, readCursor } from './cursor.ts';
import { eventsToRead } from './events-to-read.ts';
import { type PayoutRow, payoutsFrom, type RefundRow, refundsFrom } from './money.sql.ts';

type Reading = Pick<Deps, 'db'>;

export async function listRefunds(
  { db }: Reading,
  key: KeyHolder,
  { event_id, order_id, after, limit }: InputOf<typeof refundsCall>,
): Promise<ReplyOf<typeof refundsCall>> {
  const eventIds = await eventsToRead({ db }, key, 'guest.view', event_id);
  const place = readCursor('refunds', after);
  if (order_id !== undefined && !isUuid(order_id)) return { data: [], next_cursor: null };
  const found = await refundsFrom(db, eventIds, { orderId: order_id ?? null, after: place, limit: limit + 1 });
  const { page, next } = pageOf(found, limit, ({ id }) => cursorOf('refunds', id));
  return { data: page.map(refundReply), next_cursor: next };
}

export const refundReply = (refund: RefundRow) => ({
  id: refund.id,
  event_id: refund.eventId,
  order_id: refund.orderId,
  ticket_id: refund.ticketId,
  amount_cents: refund.cents,
  reason: reasons[refund.reason],
  state: refund.state,
  created_at: refund.createdAt.toISOString(),
  sent_at: refund.sentAt?.toISOString() ?? null,
});

const reasons = {
  requested: 'requested',
  organizer: 'organizer',
  'event-cancelled': 'event_cancelled',
  'unfulfillable-order': 'unfulfillable_order',
  withdrawn: 'withdrawn',
  external: 'external',
} as const;

export async function listPayouts(
  { db }: Reading,
  key: KeyHolder,
  { event_id, after, limit }: InputOf<typeof payoutsCall>,
): Promise<ReplyOf<typeof payoutsCall>> {
  const eventIds = await eventsToRead({ db }, key, 'payout.view', event_id);
  const found = await payoutsFrom(db, eventIds, { after: readCursor('payouts', after), limit: limit + 1 });
  const { page, next } = pageOf(found, limit, ({ id }) => cursorOf('payouts', id));
  return { data: page.map(payoutReply), next_cursor: next };
}

export const payoutReply = (payout: PayoutRow) => ({
  id: payout.id,
  event_id: payout.eventId,
  number: payout.seq,
  state: states[payout.state],
  amount_cents: payout.cents,
  statement: statementReply(payout.statement),
  requested_at: payout.requestedAt.toISOString(),
  paid_at: payout.paidAt?.toISOString() ?? null,
  transfer_id: payout.transferId,
});

const states = {
  requested: 'requested',
  'awaiting-funds': 'awaiting_funds',
  'awaiting-account': 'awaiting_account',
  paid: 'paid',
} as const;

const statementReply = (statement: SettledStatement) => ({
  tickets_sold: ticketsSoldIn(statement),
  gross_cents: grossWithHoldsOf(statement),
  on_hold_cents: statement.onHoldCents,
  ticket_fees_cents: statement.ticketFeesCents,
  processing_fee_cents: statement.processingFeeCents,
  deducted_cents: statement.deductedCents,
  refund_costs_cents: statement.refundCostsCents ?? 0,
  debt_deducted_cents: statement.debtDeductedCents,
  held_cents: (statement.held ?? []).reduce((sum, { cents }) => sum + cents, 0),
});
