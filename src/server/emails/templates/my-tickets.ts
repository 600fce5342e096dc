import { longDate, plural, TICKETS } from '#messages/format.ts';
import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

export interface FoundOrder {
  title: string;
  timezone: string;
  startsAt: Date;
  tickets: number;
  url: string;
}

/** The links of the recipient's orders for upcoming events, soonest first. */
export function myTicketsEmail(orders: readonly FoundOrder[]): EmailContent | null {
  const [first] = orders;
  if (!first) return null;
  const titles = [...new Set(orders.map(({ title }) => title))];
  return {
    subject: titles.length === 1 ? `Your tickets for ${first.title}` : 'Your tickets for upcoming events',
    preview: titles.join(', '),
    head: { title: 'Here are your tickets' },
    blocks: [
      ...orders.flatMap(({ title, timezone, startsAt, tickets, url }) => [
        paragraph(`${title}, ${longDate(startsAt, timezone)}, ${plural(tickets, TICKETS)}`),
        button(`Open tickets for ${title}`, url),
      ]),
      smallPrint("Didn't ask for this? You can ignore it: only this mailbox got the links."),
    ],
  };
}
