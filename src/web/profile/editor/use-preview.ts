/** The page of what is typed, rendered by the server a moment after the last key. */
import { useEffect, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type EventPreview, previewEvent } from '#contract/app/sales/event-preview.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { previewPane } from '#messages/records/event-editor.ts';
import { call } from '#web/api.ts';
import { draftOf, withUntouchedTimes } from '#web/profile/event-form/edit-draft.ts';
import type { Draft } from '#web/profile/event-form/event-draft.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { completed } from './typed-event.ts';

const DELAY_MS = 350;

export interface Preview {
  /** The last one. */
  shown: EventPreview | null;
  /** Whom saving what is typed now would email, once that is known. */
  emails: EventPreview['emails'];
  /** Fields that are shown otherwise than typed, since they can't be. */
  replaced: number;
  failure: LoadFailure | null;
  retry: () => void;
}

interface State extends Pick<Preview, 'shown' | 'failure'> {
  /** The input that is shown. */
  of: string | null;
}

export function usePreview(fields: Draft, stored: OrganizerEvent | undefined): Preview {
  const [state, setState] = useState<State>({ shown: null, of: null, failure: null });
  const [reloads, setReloads] = useState(0);
  const typed = completed(fields, stored && draftOf(stored), new Date());
  const input = typed && (stored ? { ...withUntouchedTimes(typed.edit, stored), eventId: stored.eventId } : typed.edit);
  // As text, which is the same while nothing changes. The page also depends on photos, which are stored, not typed.
  const asked =
    input &&
    JSON.stringify({ input, photos: [stored?.eventPhotos, stored?.coverPhoto, stored?.photoDetails], reloads });

  useEffect(() => {
    if (!asked) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const { input } = JSON.parse(asked) as { input: InputOf<typeof previewEvent> };
      call(previewEvent, input, { signal: stop.signal }).then(
        (shown) => setState({ shown, of: asked, failure: null }),
        (error: unknown) => {
          if (!stop.signal.aborted) setState((last) => ({ ...last, failure: failureFrom(error, previewPane.failed) }));
        },
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked]);

  const { shown, failure } = state;
  return {
    shown,
    failure,
    emails: state.of === asked ? (shown?.emails ?? null) : null,
    replaced: typed?.replaced ?? 0,
    retry: () => setReloads((count) => count + 1),
  };
}
