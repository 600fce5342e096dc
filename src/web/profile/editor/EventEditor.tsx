import { Suspense, useRef, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { eventCard } from '#contract/app/records/workspace.ts';
import { previewPane } from '#messages/records/event-editor.ts';
import { call } from '#web/api.ts';
import { draftOf } from '#web/profile/event-form/edit-draft.ts';
import type { Draft } from '#web/profile/event-form/event-draft.ts';
import { type EventDraft, useEventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { editEventForm } from '#web/profile/form-schemas.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { useLoadEarly } from '#web/shell/use-load-early.ts';
import { useAskBeforeLeaving } from '#web/shell/workspace/use-ask-before-leaving.tsx';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { useAnchor } from '#web/ui/page/use-anchor.ts';
import { useWarnBeforeLeaving } from '#web/ui/page/use-warn-before-leaving.ts';
import type { EditorDialog } from './EditorDialogs.tsx';
import { EditorLayout } from './EditorLayout.tsx';
import { LiveBar } from './LiveBar.tsx';
import { fieldsOf, parsed } from './typed-event.ts';
import { useAutoSave } from './use-auto-save.ts';
import { usePreview } from './use-preview.ts';

const dialogs = lazyScreen(() => import('./EditorDialogs.tsx'));
const draftBar = lazyScreen(() => import('./DraftBar.tsx'));
const publishList = lazyScreen(() => import('./PublishList.tsx'));

interface EventEditorProps {
  event: OrganizerEvent;
  /** Starts over with what is stored now. */
  onReload: () => Promise<void>;
  /** What other parts of the screen show has changed. */
  onSaved: () => void;
}

/** A draft saves itself and waits to be published; a published event is edited, reviewed and published again. */
export function EventEditor({ event: loaded, onReload, onSaved }: EventEditorProps) {
  const [stored, setStored] = useState(loaded);
  const { eventId, isDraft } = stored;
  const event = useEventDraft(null, draftOf(stored));
  const fields = fieldsOf(event);
  const area = useRef<HTMLDivElement>(null);
  const [dialog, setDialog] = useState<EditorDialog | null>(null);
  const preview = usePreview(fields, stored);
  useLoadEarly(dialogs.load);

  const autoSave = useAutoSave({
    isOn: isDraft,
    stored,
    fields,
    isHalfTyped: () => hasHalfTyped(area.current),
    onStored(next, sent) {
      const ids = idsOfAdded(event, next, sent);
      event.set(ids);
      setStored(next);
      onSaved();
      return ids;
    },
  });
  const isStuck = ['incomplete', 'failed', 'outdated'].includes(autoSave.saving.is) || 'broken' in parsed(fields);
  const isEdited = !isDraft && event.isChanged;
  useAnchor(true);
  useWarnBeforeLeaving(isDraft && autoSave.isUnsaved);
  const leaving = useAskBeforeLeaving(isEdited || (isDraft && autoSave.isUnsaved && isStuck));

  const form = useForm(editEventForm, async (edit) => {
    if (!isDraft) setDialog({ is: 'review', edit });
    else if (await autoSave.saver.save()) setDialog({ is: 'publish' });
  });

  async function reloadPhotos() {
    const { event: latest } = await call(eventCard, { eventId });
    const { eventPhotos, coverPhoto, photoDetails } = latest;
    setStored((before) => ({ ...before, eventPhotos, coverPhoto, photoDetails }));
    onSaved();
  }

  return (
    <>
      {leaving}
      <EditorLayout
        event={event}
        stored={stored}
        terms={stored.feeTerms}
        form={form}
        area={area}
        preview={preview}
        link={
          isDraft && (
            <ButtonLink kind="ghost" href={stored.eventUrl}>
              {previewPane.asBuyer}
            </ButtonLink>
          )
        }
        onPhotos={(is) => setDialog({ is })}
        notes={
          isDraft && (
            <Suspense>
              <publishList.Component fields={fields} missing={preview.shown?.missing ?? null} />
            </Suspense>
          )
        }
        bar={
          isDraft ? (
            <Suspense>
              <draftBar.Component
                autoSave={autoSave}
                form={form}
                stored={stored}
                onLoadLatest={() => void onReload()}
              />
            </Suspense>
          ) : (
            <LiveBar
              fields={fields}
              stored={stored}
              isEdited={isEdited}
              emails={preview.shown?.emails ?? null}
              form={form}
              onDiscard={() => void onReload()}
            />
          )
        }
      />
      {dialog && (
        <Suspense>
          <dialogs.Component
            open={dialog}
            stored={stored}
            emails={preview.emails}
            onPhotos={reloadPhotos}
            onPublished={onSaved}
            onSaved={onReload}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </>
  );
}

const hasHalfTyped = (area: HTMLElement | null): boolean =>
  [...(area?.querySelectorAll('input') ?? [])].some(({ validity }) => validity.badInput);

/** Ties rows that were added to the types they became, so that a new name is not taken for another type. */
function idsOfAdded({ draft }: EventDraft, { tickets }: OrganizerEvent, sent: Draft): Draft {
  const added = tickets.flatMap(({ ticketId }, row): [string, string][] => {
    const [id, name] = [`tickets.${row}.ticketId`, `tickets.${row}.ticketName`];
    // Rows that were moved meanwhile get theirs with the next save, which matches by name.
    return !draft[id] && draft[name] === sent[name] ? [[id, ticketId]] : [];
  });
  return Object.fromEntries(added);
}
