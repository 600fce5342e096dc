import { describe, expect, it } from 'vitest';
import type { OwnTicketType } from '#contract/app/events.ts';
import type { OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import { hasLostTypes, offeredTypes, promoFormFor, promoInput } from './promo-form.ts';

const timezone = 'America/New_York';
const types = [
  type('paid', 10),
  type('free', 0),
  type('hidden', 10, { isHidden: true }),
  type('named', 10, { hasNamedPrice: true }),
];
const typed = { code: 'EARLYBIRD', kind: 'percent', value: '20' } as const;

describe('what the form of a promo code sends', () => {
  it('names the checked ticket types by their ids', () => {
    const input = promoInput({ ...typed, types: { paid: true, free: false } }, { stored: undefined, types, timezone });
    expect(input).toEqual({ ...typed, ticketIds: ['paid'], validFrom: '', validUntil: '' });
  });

  it('keeps an untouched time, also in the hour that occurs twice, and sends others as instants', () => {
    const stored = promo({ validFrom: '2026-11-01T06:30:00.000Z', validUntil: '2026-11-02T05:00:00.000Z' });
    const times = { validFrom: '2026-11-01T01:30', validUntil: '2026-11-03T00:00' };
    expect(promoInput({ ...typed, ...times }, { stored, types, timezone })).toMatchObject({
      validFrom: '2026-11-01T06:30:00.000Z',
      validUntil: '2026-11-03T05:00:00.000Z',
    });
  });

  it('keeps the ticket types of a used code, whose boxes are disabled', () => {
    const stored = promo({ uses: 1, ticketIds: ['paid'] });
    expect(promoInput(typed, { stored, types, timezone }).ticketIds).toEqual(['paid']);
  });

  it('keeps ticket types that were all removed, unless others are chosen: without any, it would be for all', () => {
    const edited = { stored: promo({ ticketIds: ['gone'] }), types, timezone };
    expect(hasLostTypes('percent', edited)).toBe(true);
    expect(promoInput(typed, edited).ticketIds).toEqual(['gone']);
    expect(promoInput({ ...typed, types: { paid: true } }, edited).ticketIds).toEqual(['paid']);
    expect(promoInput({ ...typed, kind: 'unlock' }, edited).ticketIds).toEqual([]);
  });

  it('reports a time that does not exist, next to other problems', () => {
    const form = promoFormFor({ stored: undefined, types, timezone });
    const { error } = form.safeParse({ ...typed, value: 'x', validFrom: '2026-03-08T02:30' });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['value', 'validFrom']);
  });
});

describe('the ticket types that a promo code can be for', () => {
  const idsFor = (kind: OwnPromoCode['kind'], stored?: OwnPromoCode) =>
    offeredTypes(kind, { stored, types }).map(({ ticketId }) => ticketId);

  it('are those whose price it can lower, or the hidden ones', () => {
    expect(idsFor('percent')).toEqual(['paid']);
    expect(idsFor('unlock')).toEqual(['hidden']);
  });

  it('include those that a stored code of this kind is for', () => {
    const stored = promo({ kind: 'unlock', ticketIds: ['free'] });
    expect(idsFor('unlock', stored)).toEqual(['free', 'hidden']);
    expect(idsFor('percent', stored)).toEqual(['paid']);
  });
});

const promo = (change: Partial<OwnPromoCode>): OwnPromoCode => ({
  promoCodeId: 'p',
  code: 'EARLYBIRD',
  kind: 'percent',
  value: 20,
  ticketIds: null,
  maxUses: null,
  uses: 0,
  maxPerOrder: null,
  validFrom: null,
  validUntil: null,
  isEnded: false,
  discountGiven: 0,
  ...change,
});

function type(ticketId: string, ticketPrice: number, change: Partial<OwnTicketType> = {}): OwnTicketType {
  const counts = { ticketQuantity: 5, available: 5, reserved: 0, ticketsSold: 0 };
  return { ticketId, ticketName: ticketId, ticketDescription: '', ticketPrice, ...counts, ...change };
}
