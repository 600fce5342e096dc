import { describe, expect, it } from 'vitest';
import { ticketType } from '#tests/support/organizer-event.ts';
import { isFrameOf, linesOf, storedLines, totalOf } from './taken-over-lines.ts';

const floor = ticketType({ ticketId: 'floor', ticketName: 'Floor', ticketPrice: 24 });
const gift = { ...ticketType({ ticketId: 'gift', ticketName: 'Gift', ticketPrice: 5 }), hasNamedPrice: true };
const event = { tickets: [floor, gift] };

describe('a cart that was taken over', () => {
  it('has the prices of the event [EMBED-1]', () => {
    const lines = linesOf(
      [
        { ticketId: 'floor', quantity: 2 },
        { ticketId: 'gift', quantity: 1, namedCents: 1_550 },
      ],
      event,
    );

    expect(lines.map(({ ticket, quantity }) => [ticket.ticketName, quantity])).toEqual([
      ['Floor', 2],
      ['Gift', 1],
    ]);
    expect(totalOf(lines)).toBe(6_350);
    const stored = [
      { ticketName: 'Floor', quantity: 2 },
      { ticketName: 'Gift', quantity: 1, namedCents: 1_550 },
    ];
    expect(storedLines([...stored, { ticketName: 'Gone', quantity: 1 }], event)).toEqual(lines);
  });

  it.each([
    { ticketId: 'gone', quantity: 1 },
    { ticketId: 'floor', quantity: 1, namedCents: 1 },
    { ticketId: 'gift', quantity: 1 },
  ])('leaves out %j, which is not for sale like this', (item) => {
    expect(linesOf([item], event)).toEqual([]);
  });

  it.each([
    ['https://tickets.example/embed/abc', true],
    ['https://tickets.example/embed/abc?from=blog', true],
    ['https://tickets.example/embed/other', false],
    ['https://tickets.example/', false],
    ['https://elsewhere.example/embed/abc', false],
    ['', false],
  ])('starts its checkout after %j: %s [EMBED-1]', (referrer, starts) => {
    expect(isFrameOf('abc', referrer, { origin: 'https://tickets.example' })).toBe(starts);
  });
});
