import { describe, expect, it } from 'vitest';
import type { TicketType } from '#contract/app/events.ts';
import { ticketType } from '#tests/support/organizer-event.ts';
import { nextChange } from './sales-windows.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
const delay = (...tickets: Partial<TicketType>[]) =>
  nextChange(
    tickets.map((props) => ({ ...ticketType(), ...props })),
    NOW,
    () => 0.5,
  );

describe('the next change of what is on sale', () => {
  it.each([
    ['no window', [{}], null],
    ['a type whose sales begin', [{ closed: 'not-yet', salesFrom: inSeconds(60), salesUntil: inSeconds(90) }], 60_200],
    ['a type whose sales end', [{ salesFrom: inSeconds(-60), salesUntil: inSeconds(90) }], 90_200],
    ['the earlier of two', [{ salesUntil: inSeconds(90) }, { closed: 'not-yet', salesFrom: inSeconds(30) }], 30_200],
    ['sales that have ended', [{ closed: 'over', salesFrom: inSeconds(-60), salesUntil: inSeconds(-1) }], null],
    ['an end that the server has not reached yet', [{ salesUntil: inSeconds(-4) }], 4_000],
    ['a start that the server has not reached yet', [{ closed: 'not-yet', salesFrom: inSeconds(0) }], 500],
    ['a clock that is far ahead', [{ salesUntil: inSeconds(-3600) }], 30_000],
    ['a time that is far away', [{ salesUntil: inSeconds(90 * 24 * 3600) }], 24 * 3600 * 1000],
  ] as const)('with %s [STOCK-4]', (_what, tickets, expected) => {
    expect(delay(...tickets)).toBe(expected);
  });
});
