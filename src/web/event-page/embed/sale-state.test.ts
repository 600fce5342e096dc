import { describe, expect, it } from 'vitest';
import type { PublicEvent } from '#contract/app/events.ts';
import { embeddedTickets as text } from '#messages/programs/embed.ts';
import { salesPaused } from '#messages/sales/event-page.ts';
import { notOnSaleYet } from '#messages/waiting-room.ts';
import { ticketType } from '#tests/support/organizer-event.ts';
import { closedSale } from './sale-state.ts';

const now = new Date('2026-05-01T12:00:00Z');
const earlier = '2026-05-01T11:00:00.000Z';
const later = '2026-05-01T13:00:00.000Z';

type Part = Partial<Pick<PublicEvent, 'pausedSales' | 'buyersPerMinute' | 'salesStartAt' | 'tickets'>>;

const stateOf = (part: Part) => {
  const event = { timezone: 'America/New_York', tickets: [ticketType({ available: 3 })], ...part };
  return closedSale(event as PublicEvent, now)?.title ?? null;
};

describe('what a website shows of a sale', () => {
  const over = { ...ticketType({ available: 3 }), closed: 'over' as const };
  const gone = ticketType({ available: 0 });
  it.each<[string, Part, string | null]>([
    ['open', {}, null],
    ['begun', { salesStartAt: earlier }, null],
    ['of free tickets only', { pausedSales: 'paid' }, null],
    ['partly sold out', { tickets: [gone, ticketType({ available: 1 })] }, null],
    ['paused', { pausedSales: 'all', buyersPerMinute: 60 }, salesPaused],
    ['not begun', { salesStartAt: later }, notOnSaleYet],
    ['with a waiting room, before it begins', { salesStartAt: later, buyersPerMinute: 60 }, text.waitingRoom],
    ['with a waiting room', { salesStartAt: earlier, buyersPerMinute: 60 }, text.waitingRoom],
    ['sold out', { tickets: [gone] }, text.soldOut],
    [
      'sold out but for fewer than an order takes',
      { tickets: [gone, { ...ticketType({ available: 3 }), minPerOrder: 4 }] },
      text.soldOut,
    ],
    ['rounded to less than an order takes', { tickets: [{ ...ticketType({ available: 30 }), minPerOrder: 35 }] }, null],
    ['of tickets by code only', { tickets: [] }, text.soldOut],
    ['over', { tickets: [over] }, text.noneOnSale],
    ['over, and the rest sold out', { tickets: [over, gone] }, text.noneOnSale],
  ])('that is %s [EMBED-1]', (_which, part, title) => {
    expect(stateOf(part)).toBe(title);
  });
});
