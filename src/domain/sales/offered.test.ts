import { describe, expect, it } from 'vitest';
import { ticketsOffered } from './offered.ts';

const types = [
  { id: 'floor', quantity: 100 },
  { id: 'balcony', quantity: 40 },
  { id: 'table', quantity: 30 },
];
const shared = (seats: number, units: Record<string, number>) => ({ seats, units: new Map(Object.entries(units)) });

describe('the tickets that an event offers', () => {
  it('are those of its types', () => {
    expect(ticketsOffered(types, [])).toBe(170);
  });

  it('are not more than the seats that types share', () => {
    expect(ticketsOffered(types, [shared(120, { floor: 1, balcony: 1 })])).toBe(150);
    expect(ticketsOffered(types, [shared(400, { floor: 1, balcony: 1 })])).toBe(170);
  });

  it('take as many seats as they need', () => {
    expect(ticketsOffered(types, [shared(60, { table: 4 })])).toBe(155);
    expect(ticketsOffered(types, [shared(120, { floor: 1, table: 4 })])).toBe(160);
  });

  it('count once, in the smallest of several capacities', () => {
    const capacities = [shared(120, { floor: 1, balcony: 1 }), shared(50, { floor: 1 })];
    expect(ticketsOffered(types, capacities)).toBe(120);
  });

  it('of no type are none', () => {
    expect(ticketsOffered([], [shared(50, { gone: 1 })])).toBe(0);
  });
});
