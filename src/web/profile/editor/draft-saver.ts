/** Saves a draft: one save at a time, on the version that the last one made. */
import type { OrganizerEvent } from '#contract/app/events.ts';
import { codeFrom } from '#web/api.ts';
import { draftOf, withUntouchedTimes } from '#web/profile/event-form/edit-draft.ts';
import type { Draft } from '#web/profile/event-form/event-draft.ts';
import type { EventEdit } from '#web/profile/form-schemas.ts';
import { parsed } from './typed-event.ts';

export type Saving =
  | { is: 'saved' | 'waiting' | 'saving' }
  | { is: 'incomplete'; problems: number }
  | { is: 'failed'; error: unknown }
  /** Saved elsewhere meanwhile; the latest is null if it did not load. */
  | { is: 'outdated'; latest: OrganizerEvent | null };

interface Typed {
  stored: OrganizerEvent;
  fields: Draft;
  /** A date or time is typed in part, so that its field is empty. */
  isHalfTyped: boolean;
}

interface SaverOptions {
  /** What is typed by now. */
  read: () => Typed;
  edit: (edit: EventEdit & { version: string }) => Promise<unknown>;
  latest: () => Promise<OrganizerEvent>;
  onSaving: (saving: Saving) => void;
  /** Returns the fields that it adds to what is typed: ids of ticket types. */
  onStored: (event: OrganizerEvent, sent: Draft) => Draft;
}

export class DraftSaver {
  readonly #options: SaverOptions;
  #savedAs: string;
  #version: string;
  #last: Promise<boolean> = Promise.resolve(true);

  constructor({ stored, fields }: Pick<Typed, 'stored' | 'fields'>, options: SaverOptions) {
    this.#options = options;
    this.#savedAs = JSON.stringify(fields);
    this.#version = stored.version;
  }

  isSaved(fields: Draft): boolean {
    return JSON.stringify(fields) === this.#savedAs;
  }

  /** Saves what is typed by the end of the save that is under way. Resolves to whether all of it is saved. */
  save(): Promise<boolean> {
    this.#last = this.#last.then(() => this.#save());
    return this.#last;
  }

  /** Replaces what another window saved. */
  saveOver({ version }: OrganizerEvent): Promise<boolean> {
    this.#version = version;
    return this.save();
  }

  async #save(): Promise<boolean> {
    const { edit, latest, onSaving, onStored } = this.#options;
    const { stored, fields, isHalfTyped } = this.#options.read();
    if (this.isSaved(fields)) return true;
    const typed = parsed(fields);
    if ('broken' in typed || isHalfTyped) {
      onSaving({ is: 'incomplete', problems: 'broken' in typed ? typed.broken.length : 1 });
      return false;
    }
    onSaving({ is: 'saving' });
    try {
      await edit({ ...withUntouchedTimes(typed.edit, stored), version: this.#version });
    } catch (error) {
      if (codeFrom(error) !== 'event.changed') {
        onSaving({ is: 'failed', error });
        return false;
      }
      const theirs = await latest().catch(() => null);
      // If it is what was sent, the answer to that save was lost.
      if (!theirs || !isAsTyped(theirs, fields)) {
        onSaving({ is: 'outdated', latest: theirs });
        return false;
      }
    }
    try {
      const event = await latest();
      this.#version = event.version;
      onSaving({ is: 'saved' });
      this.#savedAs = JSON.stringify({ ...fields, ...onStored(event, fields) });
      return true;
    } catch (error) {
      // The next save needs the version and ids that this one made. It gets them as after a lost answer.
      onSaving({ is: 'failed', error });
      return false;
    }
  }
}

/** But for spaces, and the ids of ticket types that were added. */
function isAsTyped(event: OrganizerEvent, fields: Draft): boolean {
  const stored = draftOf(event);
  const names = new Set([...Object.keys(stored), ...Object.keys(fields)]);
  return [...names].every(
    (name) => name.endsWith('.ticketId') || (stored[name] ?? '').trim() === (fields[name] ?? '').trim(),
  );
}
