import { describe, expect, it } from 'vitest';
import { organizerEvent } from '#tests/support/organizer-event.ts';
import { changesSince } from '#web/profile/event-dialogs/event-changes.ts';
import { draftOf } from '#web/profile/event-form/edit-draft.ts';
import { completed, editedOf, fieldsOf, parsed } from './typed-event.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const stored = organizerEvent({});
const fields = draftOf(stored);

describe('what is typed into an event', () => {
  it('is an edit that changes nothing, as long as nothing is typed', () => {
    const result = parsed(fields);
    if (!('edit' in result)) throw new Error(`not valid: ${result.broken.join()}`);
    expect(changesSince(stored, editedOf(stored, result.edit))).toEqual([]);
  });

  it('is listed field by field where it differs [EDITOR-4]', () => {
    const result = parsed({
      ...fields,
      title: 'Basement Brass, early',
      venueName: 'The Cooperage',
      salesStart: '2020-05-01T10:00',
      'tickets.0.ticketPrice': '$30.50',
    });
    if (!('edit' in result)) throw new Error(`not valid: ${result.broken.join()}`);
    const labels = changesSince(stored, editedOf(stored, result.edit)).map(({ label }) => label);
    expect(labels).toEqual(['Title', 'On sale from', 'Venue name', 'Ticket']);
  });

  it('has the blank fields of a row that was added', () => {
    const added = fieldsOf({ draft: fields, ticketKeys: [...stored.tickets.keys(), 99] });
    const row = stored.tickets.length;
    expect(added[`tickets.${row}.ticketName`]).toBe('');
    expect(parsed(added)).toMatchObject({ broken: expect.arrayContaining([`tickets.${row}.ticketName`]) });
  });
});

describe('what is shown while fields are not valid [EDITOR-1]', () => {
  it('is an example of an event for which nothing is typed', () => {
    const draft = { timezone: 'America/Chicago', isListed: 'yes' };
    const shown = completed(fieldsOf({ draft, ticketKeys: [0] }), undefined, NOW);
    expect(shown?.edit).toMatchObject({ title: 'Your event', startDate_startTime: '2026-07-01T20:00' });
    expect(shown?.edit.endDate_endTime).toBe('2026-07-01T23:00');
    expect(shown?.edit.tickets).toHaveLength(1);
    expect(shown?.replaced).toBeGreaterThan(10);
  });

  it('is what was stored, for the field alone', () => {
    const shown = completed({ ...fields, title: 'New title', 'tickets.0.ticketPrice': 'x' }, fields, NOW);
    expect(shown).toMatchObject({ replaced: 1, edit: { title: 'New title' } });
    expect(String(shown?.edit.tickets[0]?.ticketPrice)).toBe(fields['tickets.0.ticketPrice']);
  });

  it('ends after its start, where the stored end would not', () => {
    const shown = completed({ ...fields, startDate_startTime: '2090-01-02T20:00' }, fields, NOW);
    expect(shown?.edit.endDate_endTime).toBe('2090-01-02T23:00');
  });
});
