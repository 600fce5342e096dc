import type { DateAndVenue } from '#domain/event-schedule.ts';
import { settlesAt } from '#domain/settlement.ts';
import { addressLine, formatCents, longDate, plural } from '#messages/format.ts';
import { bankDelay } from '#messages/refunds.ts';
import { cancelledForHolder } from '#messages/sales/ticket-transfers.ts';
import { onDay } from '#messages/series/series.ts';
import { type Block, button, type EmailContent, escapeHtml, paragraph, smallPrint } from './layout.ts';

interface ChangedEvent {
  title: string;
  before: DateAndVenue;
  /** `latestEndsAt`: the latest end that any ticket was sold for. Refund windows count from it. */
  now: DateAndVenue & { latestEndsAt: Date };
  /** Of the recipient's orders, and of the tickets that they hold. */
  pages: readonly string[];
  findTicketsUrl: string;
  /** Of a ticket that can still be refunded. */
  isPayer: boolean;
}

export function eventChangedEmail({
  title,
  before,
  now,
  pages: [page, ...more],
  findTicketsUrl,
  isPayer,
}: ChangedEvent): EmailContent | null {
  // Their tickets were refunded or transferred before this email was sent.
  if (page === undefined) return null;
  const details = detailsOf(before).map(([label, was], index) => ({
    label,
    was,
    is: detailsOf(now)[index]?.[1] ?? '',
  }));
  const changed = details.filter(({ was, is }) => was !== is);
  // The event was changed back before this email was sent.
  if (changed.length === 0) return null;

  const what = changed.some(({ label }) => label !== 'Where') ? 'date' : 'location';
  const refundsCloseAt = longDate(settlesAt(now.latestEndsAt), now.timezone);
  return {
    subject: `${title}: new ${what}`,
    preview: changed.map(({ label, is }) => `${label}: ${is}`).join('. '),
    head: { above: 'Changed', title, below: details.map(({ label, is }) => `${label}: ${is}`) },
    blocks: [
      paragraph(`Heads up: the organizer changed the ${what}. Your tickets are still good.`),
      ...changed.map(oldAndNew),
      more.length === 0 ? button('Open your tickets', page) : button('Find your tickets', findTicketsUrl),
      ...(isPayer
        ? [smallPrint(`Can't make the new ${what}? Get a refund until ${refundsCloseAt} on your order page.`)]
        : []),
    ],
  };
}

function detailsOf({ timezone, startsAt, endsAt, ...venue }: DateAndVenue): [string, string][] {
  return [
    ['Starts', longDate(startsAt, timezone)],
    ['Ends', longDate(endsAt, timezone)],
    ['Where', addressLine(venue)],
  ];
}

/** Labeled in words, because some email clients drop the strikethrough. */
function oldAndNew({ label, was, is }: { label: string; was: string; is: string }): Block {
  return {
    html: `<p class="ink" style="margin:0 0 20px;font-size:16px;line-height:24px;color:#15172B"><strong>${label}</strong><br>Now: ${escapeHtml(is)}<br><span class="quiet" style="color:#5C5F7E">Before: <s>${escapeHtml(was)}</s></span></p>`,
    text: `${label}\n  Now: ${is}\n  Before: ${was}`,
  };
}

export interface CancelledForEmail {
  title: string;
  timezone: string;
  startsAt: Date;
  /** The other dates of its series take place. */
  seriesId: string | null;
  /** `isHeld`: someone else paid for it. */
  tickets: readonly { ticketName: string; priceCents: number; isHeld: boolean }[];
}

export function eventCancelledEmail({ title, timezone, startsAt, seriesId, tickets }: CancelledForEmail): EmailContent {
  const name = seriesId === null ? title : onDay(title, startsAt, timezone);
  const cents = tickets.reduce((sum, { priceCents, isHeld }) => sum + (isHeld ? 0 : priceCents), 0);
  const isHolders = tickets.every(({ isHeld }) => isHeld);
  const count = plural(tickets.length, { one: 'your ticket', other: 'your # tickets' });
  const canceled = plural(tickets.length, {
    one: 'your ticket no longer works',
    other: 'your # tickets no longer work',
  });
  return {
    subject: `${name} has been cancelled`,
    preview: cents > 0 ? `We're refunding your ${formatCents(cents)}.` : 'Your tickets no longer work.',
    head: { above: longDate(startsAt, timezone), title, below: ['Cancelled by the organizer'] },
    blocks: [
      paragraph(
        cents > 0
          ? `${name} has been cancelled. We're refunding ${formatCents(cents)} to your card for ${count}. There's nothing you need to do. ${bankDelay}`
          : `${name} has been cancelled, so ${canceled}. ${isHolders ? cancelledForHolder : "You didn't pay anything, so there's nothing to refund."}`,
      ),
      smallPrint('Confirmation numbers and QR codes for this event no longer work.'),
    ],
  };
}
