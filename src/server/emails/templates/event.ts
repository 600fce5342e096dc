import { formatCents } from '#domain/money.ts';
import { settlesAt } from '#domain/settlement.ts';
import { longDate } from '#server/events/long-date.ts';
import { type Block, button, escapeHtml, paragraph, smallPrint } from './blocks.ts';
import { type EmailLayout, renderLayout } from './layout.ts';

/** When and where an event is. */
export interface WhenAndWhere {
  street: string;
  city: string;
  state: string;
  postalCode: string;
  timezone: string;
  startsAt: Date;
  endsAt: Date;
}

interface ChangedEvent {
  title: string;
  before: WhenAndWhere;
  /** Refunds count from the latest end that was ever sold. */
  now: WhenAndWhere & { latestEndsAt: Date };
  eventUrl: string;
  refundUrl: string;
}

export function eventChangedEmail({ title, before, now, eventUrl, refundUrl }: ChangedEvent): EmailLayout | null {
  const lines = linesOf(before).map(([label, was], index) => ({ label, was, is: linesOf(now)[index]?.[1] ?? '' }));
  const changed = lines.filter(({ was, is }) => was !== is);
  // Changed, and changed back before this mail was sent.
  if (changed.length === 0) return null;

  const refundsCloseAt = longDate(settlesAt(now.latestEndsAt), now.timezone);
  return renderLayout({
    subject: `${title}: new ${changed.some(({ label }) => label !== 'Where') ? 'date' : 'place'}`,
    preview: changed.map(({ label, is }) => `${label}: ${is}`).join('. '),
    head: { above: 'Changed', title, below: lines.map(({ label, is }) => `${label}: ${is}`) },
    blocks: [
      paragraph('The organizer has changed when or where this event takes place. Your tickets stay valid.'),
      ...changed.map(oldAndNew),
      button('See the event', eventUrl),
      smallPrint(`Can't make it now? Get a refund until ${refundsCloseAt}: ${refundUrl}`),
    ],
  });
}

function linesOf({ street, city, state, postalCode, timezone, startsAt, endsAt }: WhenAndWhere): [string, string][] {
  return [
    ['Starts', longDate(startsAt, timezone)],
    ['Ends', longDate(endsAt, timezone)],
    ['Where', `${street}, ${city}, ${state} ${postalCode}`],
  ];
}

/** The old one is said to be old in words, since a mail program may drop the line through it. */
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
  tickets: readonly { ticketName: string; priceCents: number }[];
}

export function eventCancelledEmail({ title, timezone, startsAt, tickets }: CancelledForEmail): EmailLayout {
  const cents = tickets.reduce((sum, ticket) => sum + ticket.priceCents, 0);
  const count = tickets.length === 1 ? 'your ticket' : `your ${tickets.length} tickets`;
  return renderLayout({
    subject: `${title} is cancelled`,
    preview: cents > 0 ? `You get ${formatCents(cents)} back without asking.` : 'Your free tickets are void.',
    head: { above: longDate(startsAt, timezone), title, below: ['Cancelled by its organizer'] },
    blocks: [
      paragraph(
        cents > 0
          ? `We are sending ${formatCents(cents)} for ${count} back to the card that paid. You need not do anything; please allow 3-7 business days until your bank shows it.`
          : `The organizer has cancelled this event, so ${count} can no longer be used. No money was paid, so none moves.`,
      ),
      smallPrint('A confirmation number or QR code of this event no longer lets anyone in.'),
    ],
  });
}
