/** Emails to a buyer whose ticket was checked in long before the start. */
import type { EarlyCheckInOutcome } from '#domain/early-check-in.ts';
import { refundableEnd, settlesAt } from '#domain/settlement.ts';
import { decidedEmail, earlyCheckInEmail as messages } from '#messages/early-check-in.ts';
import { longDate } from '#messages/format.ts';
import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

export interface CheckInForEmail {
  title: string;
  timezone: string;
  ticketName: string;
  confirmationNumber: string;
  startsAt: Date;
  latestEndsAt: Date;
  cancelledAt: Date | null;
  scannedAt: Date;
  outcome: EarlyCheckInOutcome | null;
  endedAt: Date | null;
  url: string;
}

export function earlyCheckInEmail(checkIn: CheckInForEmail): EmailContent | null {
  const { title, timezone, startsAt, cancelledAt, scannedAt, outcome, url } = checkIn;
  // A cancelled event refunds every ticket, scanned or not.
  if (cancelledAt) return null;
  const lead = messages.lead({ when: longDate(scannedAt, timezone), starts: longDate(startsAt, timezone) });
  return {
    subject: messages.subject,
    preview: messages.ask,
    head: { above: messages.above, title, below: ticketLine(checkIn) },
    blocks: [
      paragraph(lead),
      ...(outcome === 'undone-at-door' ? [paragraph(messages.undoneAtDoor)] : []),
      paragraph(messages.ask),
      button(messages.button, url),
      smallPrint(messages.smallPrint),
    ],
  };
}

export function checkInDecidedEmail(checkIn: CheckInForEmail): EmailContent | null {
  const { title, timezone, latestEndsAt, cancelledAt, outcome, endedAt, url } = checkIn;
  if (cancelledAt || (outcome !== 'undone' && outcome !== 'kept')) return null;
  const until = longDate(settlesAt(refundableEnd(latestEndsAt, endedAt)), timezone);
  const { undone, kept } = decidedEmail;
  const { subject, lead, label } =
    outcome === 'undone'
      ? { subject: undone.subject, lead: undone.lead(until), label: undone.button }
      : { subject: kept.subject, lead: kept.lead, label: kept.button };
  return {
    subject,
    preview: lead,
    head: { above: decidedEmail.above, title, below: ticketLine(checkIn) },
    blocks: [paragraph(lead), button(label, url)],
  };
}

const ticketLine = ({ ticketName, confirmationNumber }: CheckInForEmail) => [
  `${ticketName}, confirmation number ${confirmationNumber}`,
];
