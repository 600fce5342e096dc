import { describe, expect, it } from 'vitest';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { organizerEvent, ticketType } from '#tests/support/organizer-event.ts';
import { CallError } from '#web/call-error.ts';
import { draftOf } from '#web/profile/event-form/edit-draft.ts';
import type { Draft } from '#web/profile/event-form/event-draft.ts';
import { DraftSaver, type Saving } from './draft-saver.ts';

const ADDED = {
  ticketId: 'added',
  ticketName: 'Late',
  ticketDescription: 'From ten',
  ticketPrice: 12,
  ticketQuantity: 7,
};

/** A server that stores a title, and gives each edit a version. */
function newDraft() {
  const event = organizerEvent({ isDraft: true, version: 'v1' });
  const state = {
    stored: event,
    fields: draftOf(event),
    isHalfTyped: false,
    server: event,
    sent: [] as string[],
    saving: [] as Saving[],
    /** Of the next edits, in order. */
    fail: [] as ('before' | 'after')[],
    isReadable: true,
  };
  const type = (change: Draft) => {
    state.fields = { ...state.fields, ...change };
  };
  const saver = new DraftSaver(state, {
    read: () => state,
    async edit({ title, tickets, version }) {
      const failure = state.fail.shift();
      state.sent.push(`${title} on ${version}`);
      if (failure === 'before') throw new CallError(0);
      if (version !== state.server.version) throw new CallError(409, 'changed', { code: 'event.changed' });
      const types = tickets.map((_, index) => state.server.tickets[index] ?? ticketType(ADDED));
      state.server = { ...state.server, title, tickets: types, version: `v${state.sent.length + 1}` };
      if (failure === 'after') throw new CallError(0);
    },
    async latest() {
      if (!state.isReadable) throw new CallError(0);
      return state.server;
    },
    onSaving: (saving) => state.saving.push(saving),
    onStored: (next: OrganizerEvent) => {
      state.stored = next;
      // As the editor does with the id of a type that was added.
      const ids = { 'tickets.2.ticketId': 'added' };
      if (next.tickets.length < 3 || state.fields['tickets.2.ticketId']) return {};
      type(ids);
      return ids;
    },
  });
  return { state, saver, type };
}

const lastOf = ({ saving }: { saving: Saving[] }) => saving.at(-1)?.is;

describe('a draft that saves itself [EDITOR-3]', () => {
  it('sends nothing while nothing has changed', async () => {
    const { state, saver } = newDraft();
    expect(await saver.save()).toBe(true);
    expect(state.sent).toEqual([]);
  });

  it('saves once more what was typed during a save, on the version that it made', async () => {
    const { state, saver, type } = newDraft();
    type({ title: 'One' });
    const first = saver.save();
    type({ title: 'Two' });
    expect(await Promise.all([first, saver.save()])).toEqual([true, true]);
    expect(state.server.title).toBe('Two');
    type({ title: 'Three' });
    await saver.save();
    expect(state.server.title).toBe('Three');
    expect(lastOf(state)).toBe('saved');
    expect(saver.isSaved(state.fields)).toBe(true);
  });

  it('saves an added ticket type once, though it gets an id by that', async () => {
    const { state, saver, type } = newDraft();
    type({
      'tickets.2.ticketName': 'Late',
      'tickets.2.ticketDescription': 'From ten',
      'tickets.2.ticketPrice': '12',
      'tickets.2.ticketQuantity': '7',
    });
    expect(await saver.save()).toBe(true);
    expect([state.fields['tickets.2.ticketId'], saver.isSaved(state.fields)]).toEqual(['added', true]);
    expect(await saver.save()).toBe(true);
    expect(state.sent).toHaveLength(1);
  });

  it('sends no form with a field that is empty, not valid or typed in part', async () => {
    const { state, saver, type } = newDraft();
    type({ title: '', 'tickets.0.ticketPrice': 'ten' });
    expect(await saver.save()).toBe(false);
    expect(state.saving.at(-1)).toEqual({ is: 'incomplete', problems: 2 });
    type({ title: 'One', 'tickets.0.ticketPrice': '10' });
    state.isHalfTyped = true;
    expect(await saver.save()).toBe(false);
    expect(state.sent).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    'loses nothing if the connection ends %s the server has saved',
    async (when) => {
      const { state, saver, type } = newDraft();
      state.fail = [when];
      type({ title: 'One' });
      expect(await saver.save()).toBe(false);
      expect(lastOf(state)).toBe('failed');
      expect(saver.isSaved(state.fields)).toBe(false);

      expect(await saver.save()).toBe(true);
      expect([state.server.title, lastOf(state)]).toEqual(['One', 'saved']);
    },
  );

  it('learns the new version with the next save, if it could not be read', async () => {
    const { state, saver, type } = newDraft();
    state.isReadable = false;
    type({ title: 'One' });
    expect(await saver.save()).toBe(false);
    state.isReadable = true;
    expect(await saver.save()).toBe(true);
    type({ title: 'Two' });
    expect(await saver.save()).toBe(true);
    expect(state.server.title).toBe('Two');
  });

  it('replaces what another window saved only when told to', async () => {
    const { state, saver, type } = newDraft();
    state.server = { ...state.server, title: 'Theirs', version: 'theirs' };
    type({ title: 'Mine' });
    expect(await saver.save()).toBe(false);
    expect(state.saving.at(-1)).toEqual({ is: 'outdated', latest: state.server });
    expect(state.server.title).toBe('Theirs');

    expect(await saver.saveOver(state.server)).toBe(true);
    expect(state.server.title).toBe('Mine');
  });
});
