import { describe, expect, it } from 'vitest';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { takenNote } from '#messages/records/long-forms.ts';
import { organizerEvent, ticketType } from '#tests/support/organizer-event.ts';
import {
  cancelDenial,
  editDenial,
  endedWithoutSales,
  payoutDenial,
  refundPreview,
  salesStartNote,
  statusOf,
} from './event-totals.ts';

const guest = (email: string, ticketName = 'Floor', ticketPrice = 25) => ({
  ticketId: '019c0000-0000-7000-8000-000000000001',
  email,
  orderId: '00000000-0000-7000-8000-000000000001',
  confirmationNumber: '4829103756',
  ticketScanned: false,
  state: 'valid' as const,
  ticketName,
  ticketPrice,
});

const sold = {
  ticketsSold: 4,
  gross: 100,
  guestList: [
    guest('sam@example.com'),
    guest('Sam@example.com'),
    guest('lee@example.com'),
    guest('kim@example.com', 'Balcony'),
  ],
};

describe('refunds of a cancelled event', () => {
  it('counts buyers, not tickets', () => {
    expect(refundPreview(organizerEvent(sold))).toBe("We'll refund 3 buyers $100.00 for 4 tickets.");
    expect(refundPreview(organizerEvent({ ticketsSold: 1, gross: 25, guestList: [guest('sam@example.com')] }))).toBe(
      "We'll refund 1 buyer $25.00 for 1 ticket.",
    );
  });

  it('leaves out the number of buyers while only the first page of guests is loaded', () => {
    expect(refundPreview(organizerEvent({ ...sold, ticketsSold: 1420, gross: 35_500, guestListNext: 'x' }))).toBe(
      "We'll refund $35,500.00 for 1,420 tickets.",
    );
  });

  it('counts only what was paid, and says how many free tickets end', () => {
    const free = ['ann', 'ben', 'sam'].map((name) => guest(`${name}@example.com`, 'Floor', 0));
    const event = { ...sold, ticketsSold: 7, freeTickets: 3, guestList: [...sold.guestList, ...free] };
    const ends = '3 free tickets end, too.';
    expect(refundPreview(organizerEvent(event))).toBe(`We'll refund 3 buyers $100.00 for 4 tickets. ${ends}`);
    expect(refundPreview(organizerEvent({ ...event, guestListNext: 'x' }))).toBe(
      `We'll refund $100.00 for 4 tickets. ${ends}`,
    );
    expect(refundPreview(organizerEvent({ ...event, gross: null }))).toBe(`We'll refund 4 tickets. ${ends}`);
    expect(refundPreview(organizerEvent({ ...event, ticketsSold: 5, freeTickets: 1 }))).toBe(
      "We'll refund 3 buyers $100.00 for 4 tickets. 1 free ticket ends, too.",
    );
  });

  it('has nothing to refund without sales, or if all tickets were free', () => {
    expect(refundPreview(organizerEvent())).toBe("No tickets sold, so there's nothing to refund.");
    expect(refundPreview(organizerEvent({ ticketsSold: 9, freeTickets: 9 }))).toBe(
      "There's nothing to refund. 9 free tickets end.",
    );
  });
});

describe('totals of an event', () => {
  it('explains how far a quantity can be lowered by sold tickets and tickets in a checkout', () => {
    const note = (available: number, ticketsSold: number) =>
      takenNote(ticketType({ ticketQuantity: 1500, available, ticketsSold }));
    expect(note(1500, 0)).toBeNull();
    expect(note(1394, 106)).toBe("106 sold. You can't go below that or remove this ticket.");
    expect(note(292, 1206)).toBe("1,208 sold or being bought. You can't go below that or remove this ticket.");
  });

  it('is scheduled until sales start, and shows when they do', () => {
    const event = organizerEvent({ salesStartAt: '2026-06-05T14:00:00.000Z' });
    expect(statusOf(event, new Date('2026-06-05T13:59:59Z'))).toBe('scheduled');
    expect(statusOf(event, new Date('2026-06-05T14:00:00Z'))).toBe('on-sale');
    expect(salesStartNote(event, new Date('2026-06-01T00:00:00Z'))).toBe('Sales start Fri, Jun 5, 2026, 10:00 AM EDT.');
    expect(salesStartNote(event, new Date('2026-06-05T14:00:00Z'))).toBeNull();
    expect(salesStartNote(organizerEvent(), new Date('2026-06-01T00:00:00Z'))).toBeNull();
  });

  it('has ended once the payout is open, even if the clock of this device is behind', () => {
    const early = new Date('2026-01-01T00:00:00Z');
    const event = organizerEvent();
    expect(statusOf(event, early)).toBe('on-sale');
    expect(statusOf({ ...event, payout: { ...event.payout, state: 'open' } }, early)).toBe('ended');
    expect(statusOf(event, new Date('2026-06-13T03:30:00Z'))).toBe('ended');
    expect(statusOf({ ...event, isCancelled: true }, early)).toBe('cancelled');
  });
});

describe('disabled event actions', () => {
  const before = new Date('2026-06-12T00:00:00Z');
  const after = new Date('2026-06-13T03:30:00Z');
  const denials = (event: OrganizerEvent) => [editDenial(event), payoutDenial(event), cancelDenial(event)];

  it('leaves every action enabled, with or without sales', () => {
    expect(denials(organizerEvent())).toEqual([null, null, null]);
    expect(denials(organizerEvent(sold))).toEqual([null, null, null]);
  });

  it('detects an end without sales by the clock of this device', () => {
    expect(endedWithoutSales(organizerEvent(), after)).toBe(true);
    expect(endedWithoutSales(organizerEvent(), before)).toBe(false);
    expect(endedWithoutSales(organizerEvent(sold), after)).toBe(false);
  });

  it('disables everything for a cancelled event', () => {
    expect(denials(organizerEvent({ ...sold, isCancelled: true }))).toEqual([
      "A cancelled event can't be edited.",
      "Cancelled events don't pay out.",
      'This event has been cancelled.',
    ]);
  });

  it('disables changes after the payout but still allows another payout request', () => {
    const { payout } = organizerEvent();
    const paid = organizerEvent({ payout: { ...payout, state: 'paid', denial: null } });
    expect(denials(paid)).toEqual([
      "This event was paid out, so it can't be edited.",
      null,
      "This event was paid out, so it can't be cancelled.",
    ]);
  });
});
