/** Status of a refund, for the holder of the emailed link. */
import { type RefundState, type RefundStatus } from '#contract/app/refunds.ts';
import { dollarsOf } from '#domain/money.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { refundOfLink } from './refund-links.sql.ts';
import { hashOfToken } from './refund-token.ts';

export async function readRefund(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  { eventId, token, ip }: { eventId: string; token: string; ip: string },
): Promise<RefundStatus> {
  const refund = await refundOfLink(db, eventId, hashOfToken(token));
  if (!refund) {
    await consumeLimit(rateLimiter, 'emailed-link', ip);
    throw new AppError('refund-link.unknown');
  }
  const state = stateOf(refund);
  return {
    state,
    eventTitle: refund.title,
    timezone: refund.timezone,
    ticketName: refund.ticketName,
    confirmationNumber: refund.confirmationNumber,
    amount: dollarsOf(refund.cents),
    requestedAt: refund.createdAt.toISOString(),
    sendAfter: refund.sendAfter.toISOString(),
    sentAt: refund.sentAt?.toISOString() ?? null,
    settledAt: refund.settledAt?.toISOString() ?? null,
    endedAt: (refund.failedAt ?? refund.endedAt)?.toISOString() ?? null,
    isCancelable: state === 'scheduled' && refund.cancelledAt === null,
  };
}

type Row = NonNullable<Awaited<ReturnType<typeof refundOfLink>>>;

function stateOf({ state, sendingAt, sendAfter, settledAt, now }: Row): RefundState {
  if (state === 'claimed') return sendingAt === null && now < sendAfter ? 'scheduled' : 'sending';
  if (state === 'sent') return settledAt ? 'settled' : 'sent';
  return state;
}
