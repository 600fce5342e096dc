import type { PublicEvent } from '#contract/app/events.ts';
import { leftAtMost } from '#domain/availability.ts';
import { isSoldOut } from '#domain/order.ts';
import { embeddedTickets as text } from '#messages/programs/embed.ts';
import { salesPaused, salesPausedAdvice } from '#messages/sales/event-page.ts';
import { notOnSaleYet, onSaleFrom } from '#messages/waiting-room.ts';
import { formatMoment } from '#web/ui/data/format.ts';

interface ClosedSale {
  title: string;
  text: string;
}

/** Why a website shows no tickets to choose, but the way to the event's page; null if it shows them. */
export function closedSale(event: PublicEvent, now: Date): ClosedSale | null {
  const { pausedSales, buyersPerMinute, salesStartAt, timezone, tickets } = event;
  if (pausedSales === 'all') return { title: salesPaused, text: salesPausedAdvice };
  const start = salesStartAt && new Date(salesStartAt) > now ? onSaleFrom(formatMoment(salesStartAt, timezone)) : null;
  // Its page has the line to wait in.
  if (buyersPerMinute !== undefined)
    return { title: text.waitingRoom, text: [start, text.waitingRoomText].filter(Boolean).join(' ') };
  if (start) return { title: notOnSaleYet, text: start };
  const left = tickets.filter((ticket) => !isSoldOut(leftAtMost(ticket.available), ticket));
  if (left.length === 0) return { title: text.soldOut, text: text.soldOutText };
  return left.every(({ closed }) => closed) ? { title: text.noneOnSale, text: text.noneOnSaleText } : null;
}
