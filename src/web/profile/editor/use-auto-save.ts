/** A draft saves itself a moment after the last key, and again after a failure. */
import { useEffect, useRef, useState } from 'react';
import { editEvent, type OrganizerEvent } from '#contract/app/events.ts';
import { eventCard } from '#contract/app/records/workspace.ts';
import { call, codeFrom } from '#web/api.ts';
import type { Draft } from '#web/profile/event-form/event-draft.ts';
import { DraftSaver, type Saving } from './draft-saver.ts';

const DELAY_MS = 900;
const RETRY_MS = 5000;

interface AutoSave {
  isOn: boolean;
  stored: OrganizerEvent;
  fields: Draft;
  isHalfTyped: () => boolean;
  onStored: (event: OrganizerEvent, sent: Draft) => Draft;
}

export function useAutoSave({ isOn, stored, fields, isHalfTyped, onStored }: AutoSave) {
  const [saving, setSaving] = useState<Saving>({ is: 'saved' });
  const { eventId } = stored;
  const isPending = isOn && (saving.is === 'waiting' || saving.is === 'saving');
  const now = useRef({ stored, fields, isHalfTyped, onStored, isPending });
  useEffect(() => {
    now.current = { stored, fields, isHalfTyped, onStored, isPending };
  });
  const [saver] = useState(
    () =>
      new DraftSaver(
        { stored, fields },
        {
          read: () => ({ ...now.current, isHalfTyped: now.current.isHalfTyped() }),
          edit: (edit) => call(editEvent, { ...edit, eventId, emailsConfirmed: false }),
          latest: async () => (await call(eventCard, { eventId })).event,
          onSaving: setSaving,
          onStored: (event, sent) => now.current.onStored(event, sent),
        },
      ),
  );

  const typed = JSON.stringify(fields);
  const isUnsaved = isOn && !saver.isSaved(fields);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    setSaving((last) => (last.is === 'outdated' || last.is === 'saving' ? last : { is: 'waiting' }));
    const timer = setTimeout(() => void saver.save(), DELAY_MS);
    return () => clearTimeout(timer);
    // What is typed restarts the wait.
  }, [typed, isUnsaved, saver]);

  const mayRetry = saving.is === 'failed' && isOutage(saving.error);
  useEffect(() => {
    if (!mayRetry) return undefined;
    const retry = () => void saver.save();
    const timer = setInterval(retry, RETRY_MS);
    addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      removeEventListener('online', retry);
    };
  }, [mayRetry, saver]);

  // Leaving a moment after the last key loses nothing. What could not be saved was discarded by then.
  useEffect(
    () => () => {
      if (now.current.isPending) void saver.save();
    },
    [saver],
  );

  return { saving, isUnsaved, saver };
}

/** The server said nothing of what was sent. */
export const isOutage = (error: unknown): boolean => codeFrom(error) === undefined;
