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
  from: Date.parse('2026-06-12T23:41:00Z'),
  device: { name: 'Gate 2' },
};
const at = Date.parse('2026-06-13T00:32:00Z');
/** Normalizes the formatter's narrow space. */
const message = (...args: Parameters<typeof decideOffline>) =>
  messageFor(decideOffline(...args), list).replace(/ /g, ' ');

describe('an offline decision', () => {
  it('admits a valid ticket, pending sync', () => {
    expect(message([ticket({ ticketType: 1 })], false)).toBe('Let them in · saved offline: Balcony.');
  });

  it('denies a ticket by its state on the list', () => {
    const kinds = listStates.map((state) => decideOffline([ticket({ state })], false).kind);
    expect(kinds).toEqual(['admitted-offline', 'already-in', 'refunding', 'refunded', 'void', 'disputed']);
    expect(message([ticket({ state: 'disputed' })], false)).toBe(errorText('check-in.disputed'));
  });

  it('tells when and where this device admitted the ticket', () => {
    expect(message([ticket({ admittedHereAt: at, isNewerThanList: true })], false)).toBe(
      'Already scanned at 7:32 PM, Gate 2.',
    );
    expect(message([ticket({ state: 'scanned', admittedHereAt: at })], false)).toBe(
      'Already scanned at 7:32 PM, Gate 2.',
    );
    expect(message([ticket({ state: 'scanned' })], false)).toBe('Already scanned.');
    expect(messageFor(alreadyCheckedInHere(1, at), list)).toContain('Gate 2');
  });

  it('admits again when a newer list shows the admission undone', () => {
    expect(decideOffline([ticket({ admittedHereAt: at })], false).kind).toBe('admitted-offline');
  });

  it('answers "not on the list", never "unknown", for a missing number', () => {
    expect(decideOffline([], false).kind).toBe('not-on-list');
    expect(message([], false)).toContain('may have sold after 6:41 PM');
  });

  it('admits the valid one of two tickets that share a hash', () => {
    const [used, good] = [ticket({ key: 1, state: 'scanned' }), ticket({ key: 2 })];
    expect(decideOffline([used, good], false)).toMatchObject({ kind: 'admitted-offline', ticket: { key: 2 } });
    expect(decideOffline([ticket({ state: 'void' }), used], false)).toMatchObject({
      kind: 'already-in',
      ticket: { key: 1 },
    });
  });

  it('admits no one to a cancelled event', () => {
    expect(decideOffline([ticket()], true).kind).toBe('event-cancelled');
  });
});
