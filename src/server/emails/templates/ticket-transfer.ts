/** Emails about tickets and orders that went to another address. */
import { longDate } from '#messages/format.ts';
import { transferEmails } from '#messages/sales/ticket-transfers.ts';
import { button, type EmailContent, paragraph, quoted, smallPrint } from './layout.ts';

interface TransferredForEmail {
  title: string;
  timezone: string;
  startsAt: Date;
  ticketName: string;
}

/** A stranger may have chosen the recipient and the title. */
export function ticketReceivedEmail(
  { title, timezone, startsAt, ticketName }: TransferredForEmail,
  { url }: { url: string },
): EmailContent {
  const text = transferEmails.received;
  return {
    subject: text.subject({ title: quoted(title) }),
    preview: text.preview,
    head: { above: text.above, title: quoted(title), below: [longDate(startsAt, timezone), quoted(ticketName)] },
    blocks: [paragraph(text.text), button(text.open, url), smallPrint(text.unknown)],
  };
}

export function ticketGivenEmail(
  { title, ticketName }: TransferredForEmail,
  { eventUrl }: { eventUrl: string },
): EmailContent {
  const text = transferEmails.given;
  return {
    subject: text.subject({ title }),
    preview: text.preview,
    head: { above: text.above, title, below: [ticketName] },
    blocks: [paragraph(text.text), paragraph(text.notYou), button(text.eventPage, eventUrl)],
  };
}

export function emailCorrectedEmail({ title }: { title: string }, { eventUrl }: { eventUrl: string }): EmailContent {
  const text = transferEmails.corrected;
  return {
    subject: text.subject({ title: quoted(title) }),
    preview: text.preview,
    head: { above: text.above, title: quoted(title) },
    blocks: [paragraph(text.text), paragraph(text.notYou), button(text.eventPage, eventUrl)],
  };
}

/** To the holder, who didn't pay. */
export function holderRefundEmail(
  { title, ticketName }: { title: string; ticketName: string | null },
  kind: 'refunding' | 'refunded' | 'withdrawn' | 'restored',
): EmailContent {
  const text = transferEmails[kind];
  return {
    subject: text.subject({ title }),
    preview: text.preview,
    head: { above: text.above, title, below: ticketName === null ? [] : [ticketName] },
    blocks: [paragraph(text.text)],
  };
}
