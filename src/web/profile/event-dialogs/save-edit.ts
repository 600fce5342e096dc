/** Saves what an organizer typed into the form of an event, for one date or several. */
import { editEvent } from '#contract/app/events.ts';
import { editSeries } from '#contract/app/sales/series-changes.ts';
import { call, codeFrom } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import type { Scope } from '#web/profile/event-form/SeriesScope.tsx';
import type { EventEdit } from '#web/profile/form-schemas.ts';

type Wanted = EventEdit & { eventId: string; version: string; emailsConfirmed: boolean; userId?: string };

export const saveEdit = (edit: Wanted, scope: Scope): Promise<unknown> =>
  scope === 'own' ? call(editEvent, edit) : call(editSeries, { ...edit, scope, changeId: newUuid() });

const EMAILS_BUYERS: ReadonlySet<string | undefined> = new Set(['edit.emails-buyers', 'series-change.emails-buyers']);

/** It has to be confirmed that saving emails buyers. */
export const asksBeforeEmails = (error: unknown): boolean => EMAILS_BUYERS.has(codeFrom(error));
