/** Emails that prove the address of a free order. Anyone may have typed it, so they say that nothing happens without a confirmation, and quote the event's title, which a stranger may have chosen. */
import { longDate, plural, TICKETS, timeFrom } from '#messages/format.ts';
import { button, type EmailContent, paragraph, quoted, smallPrint } from './layout.ts';

const MINUTE_MS = 60_000;

export interface FreeOrderForEmail {
  title: string;
  timezone: string;
  startsAt: Date;
  tickets: number;
  reservedUntil: Date;
}

export function freeOrderCodeEmail(
  { title, timezone, startsAt, tickets, reservedUntil }: FreeOrderForEmail,
  { code, url }: { code: string; url: string },
): EmailContent {
  // Not a moment later than they are released.
  const until = timeFrom(new Date(Math.floor(reservedUntil.getTime() / MINUTE_MS) * MINUTE_MS), timezone);
  return {
    subject: `${code} is your code for ${quoted(title)}`,
    preview: `Confirm by ${until} to get your tickets.`,
    head: { above: longDate(startsAt, timezone), title: quoted(title), below: [plural(tickets, TICKETS)] },
    blocks: [
      paragraph(
        `Enter this code on the page where you ordered, or use the button. We're holding your tickets until ${until}.`,
      ),
      paragraph(code),
      button('Confirm my tickets', url),
      smallPrint(
        "Didn't order these? Ignore this email. Without a confirmation, nobody gets tickets and we forget your address.",
      ),
    ],
  };
}

/** For an address that has tickets of the event already. */
export function freeOrderLimitEmail(
  { title, timezone, startsAt }: FreeOrderForEmail,
  { url }: { url: string },
): EmailContent {
  return {
    subject: `You already have tickets for ${quoted(title)}`,
    preview: 'Open them here.',
    head: { above: longDate(startsAt, timezone), title: quoted(title) },
    blocks: [
      paragraph(
        'You ordered free tickets again, and this event gives each address free tickets once. Here are the ones you have:',
      ),
      button('Open my tickets', url),
      smallPrint(
        "The tickets you just chose go back on sale in a few minutes. Wasn't that you? You can ignore this email.",
      ),
    ],
  };
}
