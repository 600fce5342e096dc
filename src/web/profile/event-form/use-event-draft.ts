/** State of the event form. A new event is stored on this device, so closing the tab loses nothing. */
import { useEffect, useState } from 'react';
import { type Draft, discardDraft, loadDraft, saveDraft, ticketRowsIn, withoutTicketRow } from './event-draft.ts';

interface FieldChange {
  target: { value: string };
}

export interface EventDraft {
  draft: Draft;
  text(name: string): string;
  /** Name, value and change handler of a field, to spread on its component. */
  field(name: string): { name: string; value: string; onChange: (change: FieldChange) => void };
  set(fields: Draft): void;
  /** One stable key per ticket row, in order. */
  ticketKeys: readonly number[];
  addTicketRow(): void;
  removeTicketRow(row: number): void;
  isChanged: boolean;
  discard(): void;
}

/**
 * With `organizerId`, the draft is stored. Edits are not: by the next visit the event may have changed,
 * and an old draft would silently undo that.
 */
export function useEventDraft(organizerId: string | null, proposed: Draft): EventDraft {
  const [draft, setDraft] = useState<Draft>(() => ({ ...proposed, ...(organizerId && loadDraft(organizerId)) }));
  const [ticketKeys, setTicketKeys] = useState(() => Array.from({ length: ticketRowsIn(draft) }, (_, row) => row));
  const names = Object.keys({ ...proposed, ...draft });
  const isChanged = names.some((name) => (draft[name] ?? '') !== (proposed[name] ?? ''));

  useEffect(() => {
    if (isChanged && organizerId) saveDraft(organizerId, draft);
  }, [organizerId, draft, isChanged]);

  const set = (fields: Draft) => setDraft((before) => ({ ...before, ...fields }));
  const text = (name: string) => draft[name] ?? '';

  return {
    draft,
    text,
    field: (name) => ({ name, value: text(name), onChange: (change) => set({ [name]: change.target.value }) }),
    set,
    ticketKeys,
    addTicketRow: () => setTicketKeys((keys) => [...keys, Math.max(...keys) + 1]),
    removeTicketRow(row) {
      setTicketKeys((keys) => keys.filter((_, index) => index !== row));
      setDraft((before) => withoutTicketRow(before, row));
    },
    isChanged,
    discard: () => organizerId && discardDraft(organizerId),
  };
}
