/** Shows the data stored about an email address to the holder of a link sent to it. */

import { type myRecords } from '#contract/app/privacy.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { shownAnswers } from '#domain/sales/guest-form.ts';
import { type retainedBecause } from '#messages/privacy.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { countFailure } from '#server/platform/rate-limit.ts';
import { type HeldTicketRow, heldTicketsOf } from './held-tickets.sql.ts';
import {
  emailsTo,
  findRecordsLink,
  guestsOf,
  hasAccount,
  type PurchaseRow,
  purchasesOf,
  refundsOf,
  ticketsOf,
} from './purchases.sql.ts';

const ROWS_MAX = 500;

type Records = ReplyOf<typeof myRecords>;

export async function readRecords(
  { db, clock, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  { token, ip }: { token: string; ip: string },
): Promise<Records> {
  const now = clock.now();
  const link = await findRecordsLink(db, hashSecret(token), now);
  if (!link) {
    await countFailure(rateLimiter, [{ limit: 'emailed-link', key: ip }]);
    throw new AppError('records-link.unknown');
  }
  const { email, expiresAt } = link;
  const found = await purchasesOf(db, { email, at: now, limit: ROWS_MAX + 1 });
  const held = await heldTicketsOf(db, { email, at: now, limit: ROWS_MAX + 1 });
  const emails = await emailsTo(db, email, ROWS_MAX + 1);
  return {
    email,
    linkExpiresAt: expiresAt.toISOString(),
    hasAccount: await hasAccount(db, email),
    purchases: await withTickets(db, found.slice(0, ROWS_MAX), now),
    heldTickets: held.slice(0, ROWS_MAX).map((ticket) => ({
      ticketId: ticket.ticketId,
      eventTitle: ticket.eventTitle,
      ticketName: ticket.ticketName,
      confirmationNumber: ticket.confirmationNumber,
      state: ticket.state,
      scannedAt: ticket.scannedAt?.toISOString() ?? null,
      name: ticket.name,
      retained: isNeeded(now)(ticket)
        ? { because: 'event-open', until: ticket.settlesAt?.toISOString() ?? null }
        : null,
    })),
    emails: emails.slice(0, ROWS_MAX).map(({ kind, createdAt }) => ({ kind, at: createdAt.toISOString() })),
    isWhole: found.length <= ROWS_MAX && held.length <= ROWS_MAX && emails.length <= ROWS_MAX,
  };
}

async function withTickets(db: Deps['db'], rows: readonly PurchaseRow[], now: Date): Promise<Records['purchases']> {
  const orderIds = rows.map(({ orderId }) => orderId);
  const eventIds = rows.map(({ eventId }) => eventId);
  const tickets = await ticketsOf(db, orderIds, eventIds);
  const refunds = await refundsOf(db, orderIds, eventIds);
  const guests = await guestsOf(db, orderIds, eventIds);
  return rows.map((row) => ({
    orderId: row.orderId,
    eventId: row.eventId,
    eventTitle: row.eventTitle,
    boughtAt: row.boughtAt?.toISOString() ?? null,
    buyerName: row.buyerName,
    totalCents: row.totalCents,
    state: row.state,
    retained: retainedFor(row, now),
    tickets: tickets
      .filter(({ orderId }) => orderId === row.orderId)
      .map(({ scannedAt, ...ticket }) => ({ ...ticket, scannedAt: scannedAt?.toISOString() ?? null })),
    refunds: refunds
      .filter(({ orderId }) => orderId === row.orderId)
      .map(({ cents, state, createdAt }) => ({ cents, state, at: createdAt.toISOString() })),
    guests: guests
      .filter(({ orderId }) => orderId === row.orderId)
      .map(({ position, name, answers, doorNote, questions }) => ({
        position,
        name,
        answers: shownAnswers(questions ?? [], answers),
        ...(doorNote !== null && { doorNote }),
      })),
  }));
}

/** Why a purchase must be retained, and until when; `null` if it can be deleted. */
export function retainedFor(
  { settlesAt, isSettled, isRefunding, isDisputed, state }: PurchaseRow,
  now: Date,
): { because: keyof typeof retainedBecause; until: string | null } | null {
  if (settlesAt && now < settlesAt && state !== 'expired')
    return { because: 'event-open', until: settlesAt.toISOString() };
  if (isDisputed) return { because: 'dispute-open', until: null };
  if (isRefunding) return { because: 'refund-under-way', until: null };
  return isSettled ? null : { because: 'payment-open', until: null };
}

/** Until then the holder may come, and learns if the event moves. */
export const isNeeded =
  (now: Date) =>
  ({ settlesAt }: Pick<HeldTicketRow, 'settlesAt'>): boolean =>
    settlesAt !== null && now < settlesAt;
