import { describe, expect, it } from 'vitest';
import { listStates } from '#contract/app/check-in-devices.ts';
import { errorText } from '#messages/errors.ts';
import { alreadyCheckedInHere, type Candidate, decideOffline, messageFor } from './decide-offline.ts';

const ticket = (change: Partial<Candidate> = {}): Candidate => ({
  key: 1,
  ticketType: 0,
  state: 'valid',
  admittedHereAt: null,
  isNewerThanList: false,
  ...change,
});
const list = {
  ticketTypes: ['Floor', 'Balcony'],
  timezone: 'America/Chicago',
  opensAt: null,
  closesAt: null,
  from: Date.parse('2026-06-12T23:41:00Z'),
  device: { name: 'Gate 2' },
};
const at = Date.parse('2026-06-13T00:32:00Z');
const OPEN = { isCancelled: false, opensAt: null, closesAt: null, addOns: [] };
const CANCELLED = { ...OPEN, isCancelled: true };
/** Normalizes the formatter's narrow space. */
const message = (...args: Parameters<typeof decideOffline>) =>
  messageFor(decideOffline(...args), list).replace(/ /g, ' ');

describe('an offline decision', () => {
  it('admits a valid ticket, pending sync', () => {
    expect(message([ticket({ ticketType: 1 })], OPEN, at)).toBe('Let them in · saved offline: Balcony.');
  });

  it('denies a ticket by its state on the list', () => {
    const kinds = listStates.map((state) => decideOffline([ticket({ state })], OPEN, at).kind);
    expect(kinds).toEqual(['admitted-offline', 'already-in', 'refunding', 'refunded', 'void', 'disputed']);
    expect(message([ticket({ state: 'disputed' })], OPEN, at)).toBe(errorText('check-in.disputed'));
  });

  it('tells when and where this device admitted the ticket', () => {
    expect(message([ticket({ admittedHereAt: at, isNewerThanList: true })], OPEN, at)).toBe(
      'Already scanned at 7:32 PM, Gate 2.',
    );
    expect(message([ticket({ state: 'scanned', admittedHereAt: at })], OPEN, at)).toBe(
      'Already scanned at 7:32 PM, Gate 2.',
    );
    expect(message([ticket({ state: 'scanned' })], OPEN, at)).toBe('Already scanned.');
    expect(messageFor(alreadyCheckedInHere({ ticketKey: 1, at }, false), list)).toContain('Gate 2');
  });

  it('hands out an add-on, once [PRICE-6]', () => {
    const withAddOn = { ...OPEN, addOns: [1] };
    const shirt = ticket({ ticketType: 1 });
    expect(message([shirt], withAddOn, at)).toBe('Hand out · saved offline: Balcony.');
    expect(decideOffline([ticket()], withAddOn, at).kind).toBe('admitted-offline');
    const handedOut = { ...shirt, state: 'scanned' as const };
    expect(decideOffline([handedOut], withAddOn, at).kind).toBe('already-handed-out');
    expect(message([handedOut], withAddOn, at)).toBe('Already handed out.');
    expect(message([{ ...handedOut, admittedHereAt: at }], withAddOn, at)).toBe('Handed out at 7:32 PM, Gate 2.');
    expect(alreadyCheckedInHere({ ticketKey: 1, at }, true).kind).toBe('already-handed-out');
    expect(decideOffline([{ ...shirt, state: 'refunded' }], withAddOn, at).kind).toBe('refunded');
  });

  it('denies a ticket outside the check-in hours, by the server’s clock [WINDOW-3]', () => {
    const hours = { ...OPEN, opensAt: at - 1000, closesAt: at + 1000 };
    const kindAt = (now: number, event = hours) => decideOffline([ticket()], event, now).kind;
    expect([at - 1001, at - 1000, at + 999, at + 1000].map((now) => kindAt(now))).toEqual([
      'not-open',
      'admitted-offline',
      'admitted-offline',
      'closed',
    ]);
    expect(kindAt(at + 1000, { ...hours, isCancelled: true })).toBe('event-cancelled');
    const shown = { ...list, opensAt: Date.parse('2026-06-12T13:00:00Z'), closesAt: at };
    expect(messageFor({ kind: 'not-open', ticket: null }, shown)).toBe(
      'Check-in opens Friday, June 12 at 8:00 AM CDT.',
    );
    expect(messageFor({ kind: 'closed', ticket: null }, shown)).toBe(
      'Check-in closed Friday, June 12 at 7:32 PM CDT. Ask the organizer.',
    );
  });

  it('admits again when a newer list shows the admission undone', () => {
    expect(decideOffline([ticket({ admittedHereAt: at })], OPEN, at).kind).toBe('admitted-offline');
  });

  it('answers "not on the list", never "unknown", for a missing number', () => {
    expect(decideOffline([], OPEN, at).kind).toBe('not-on-list');
    expect(message([], OPEN, at)).toContain('may have sold after 6:41 PM');
  });

  it('admits the valid one of two tickets that share a hash', () => {
    const [used, good] = [ticket({ key: 1, state: 'scanned' }), ticket({ key: 2 })];
    expect(decideOffline([used, good], OPEN, at)).toMatchObject({ kind: 'admitted-offline', ticket: { key: 2 } });
    expect(decideOffline([ticket({ state: 'void' }), used], OPEN, at)).toMatchObject({
      kind: 'already-in',
      ticket: { key: 1 },
    });
  });

  it('admits no one to a cancelled event', () => {
    expect(decideOffline([ticket()], CANCELLED, at).kind).toBe('event-cancelled');
  });
});
