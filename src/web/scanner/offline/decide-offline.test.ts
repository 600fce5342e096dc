import { describe, expect, it } from 'vitest';
import { admissionRefusals } from '#contract/admission.ts';
import { listStates } from '#contract/door.ts';
import { alreadyInHere, type Candidate, decide, wordsFor } from './decide-offline.ts';

const ticket = (change: Partial<Candidate> = {}): Candidate => ({
  key: 1,
  ticketType: 0,
  state: 'valid',
  admittedHereAt: null,
  isAheadOfList: false,
  ...change,
});
const list = {
  ticketTypes: ['Floor', 'Balcony'],
  timezone: 'America/Chicago',
  from: Date.parse('2026-06-12T23:41:00Z'),
  device: { name: 'Gate 2' },
};
const at = Date.parse('2026-06-13T00:32:00Z');
/** The formatter's narrow space is as good as one. */
const words = (...args: Parameters<typeof decide>) => wordsFor(decide(...args), list).replace(/ /g, ' ');

describe('a device that decides alone', () => {
  it('lets a valid ticket in and says that the server does not know yet', () => {
    expect(words([ticket({ ticketType: 1 })], false)).toBe('Let in - offline, will sync: Balcony.');
  });

  it('refuses a ticket as it stands on the list', () => {
    const kinds = listStates.map((state) => decide([ticket({ state })], false).kind);
    expect(kinds).toEqual(['admitted-offline', 'already-in', 'refunding', 'refunded', 'void', 'disputed']);
    expect(words([ticket({ state: 'disputed' })], false)).toBe(admissionRefusals.disputed);
  });

  it('says when and where a guest came in whom it let in itself', () => {
    expect(words([ticket({ admittedHereAt: at, isAheadOfList: true })], false)).toBe(
      'Already scanned at 7:32 PM, Gate 2.',
    );
    expect(words([ticket({ state: 'scanned', admittedHereAt: at })], false)).toBe(
      'Already scanned at 7:32 PM, Gate 2.',
    );
    expect(words([ticket({ state: 'scanned' })], false)).toBe('Already scanned.');
    expect(wordsFor(alreadyInHere(1, at), list)).toContain('Gate 2');
  });

  it('lets in again where the list says that its own admission was undone', () => {
    expect(decide([ticket({ admittedHereAt: at })], false).kind).toBe('admitted-offline');
  });

  it('never calls a number unknown that may have been sold since', () => {
    expect(decide([], false).kind).toBe('not-on-list');
    expect(words([], false)).toContain('may have been sold after 6:41 PM');
  });

  it('lets in whichever of two tickets with one hash is still valid', () => {
    const [used, good] = [ticket({ key: 1, state: 'scanned' }), ticket({ key: 2 })];
    expect(decide([used, good], false)).toMatchObject({ kind: 'admitted-offline', ticket: { key: 2 } });
    expect(decide([ticket({ state: 'void' }), used], false)).toMatchObject({ kind: 'already-in', ticket: { key: 1 } });
  });

  it('lets nobody into a cancelled event', () => {
    expect(decide([ticket()], true).kind).toBe('event-cancelled');
  });
});
