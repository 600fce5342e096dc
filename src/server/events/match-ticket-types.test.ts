import { describe, expect, it } from 'vitest';
import type { EventForm } from '#contract/forms/event-form.ts';
import type { StoredTicketType } from './event-columns.ts';
import { matchTicketTypes } from './match-ticket-types.ts';

const stored: StoredTicketType = {
  eventId: 'basement-brass-1',
  id: '0198c1f0-0000-7000-8000-000000000001',
  position: 0,
  name: 'Floor',
  description: 'Standing',
  priceCents: 25_00,
  quantity: 100,
  reserved: 40,
  available: 60,
  sharesCapacity: false,
  isPublished: true,
  removedAt: null,
  salesFrom: null,
  salesUntil: null,
  minPerOrder: 1,
  maxPerOrder: null,
  opensAfter: null,
  openedAt: null,
  isHidden: false,
  hasNamedPrice: false,
  isAddOn: false,
  access: null,
  suggestedCents: null,
};
const event = { timezone: 'America/New_York', maxPerOrder: 100 };

/** As a call that doesn't know the others sends them. */
const rowWith = (fields: Partial<EventForm['tickets'][number]>) => fields as EventForm['tickets'][number];

describe('a row of an existing ticket type', () => {
  it('keeps the fields that it omits', () => {
    const row = rowWith({ ticketId: stored.id, ticketName: 'Main floor' });
    expect(matchTicketTypes([stored], [row], event)).toMatchObject({
      updated: [
        {
          type: stored,
          columns: { name: 'Main floor', description: 'Standing', priceCents: 25_00, quantity: 100 },
        },
      ],
      added: [],
      removed: [],
    });
  });

  it('is matched by name without an ID', () => {
    const row = rowWith({ ticketName: ' fLOOR ', ticketPrice: '30' });
    expect(matchTicketTypes([stored], [row], event).updated).toMatchObject([
      { type: stored, columns: { priceCents: 30_00 } },
    ]);
  });

  it('is denied by the rules of the form, for what is typed and kept together', () => {
    const priced = rowWith({ ticketId: stored.id, ticketName: 'Floor', ticketPrice: '-1' });
    expect(() => matchTicketTypes([stored], [priced], event)).toThrow(
      expect.objectContaining({
        code: 'form.invalid',
        params: { field: 'tickets.0.ticketPrice', reason: 'ticket-price.not-a-number' },
      }),
    );
  });

  it('keeps its sales window and its limits, and loses those that are blank [STOCK-4 STOCK-6]', () => {
    const salesUntil = new Date('2026-05-01T16:00:30.000Z');
    const limited = { ...stored, salesUntil, minPerOrder: 2, maxPerOrder: 4 };
    const rename = rowWith({ ticketId: stored.id, ticketName: 'Main floor' });
    const blank = rowWith({ ...rename, salesUntil: '', minPerOrder: '', maxPerOrder: '' });

    expect(matchTicketTypes([limited], [rename], event).updated[0]?.columns).toMatchObject({
      salesFrom: null,
      salesUntil,
      minPerOrder: 2,
      maxPerOrder: 4,
    });
    expect(matchTicketTypes([limited], [blank], event).updated[0]?.columns).toMatchObject({
      salesUntil: null,
      minPerOrder: 1,
      maxPerOrder: null,
    });
  });
});
