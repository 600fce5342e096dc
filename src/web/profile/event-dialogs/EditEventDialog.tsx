import { useRef, useState } from 'react';
import { type OrganizerEvent } from '#contract/app/events.ts';
import { eventUpdated } from '#messages/events.ts';
import { submissionFailed, unknownError } from '#messages/pages.ts';
import { seriesDates } from '#messages/series/series-changes.ts';
import { codeFrom, messageFrom } from '#web/api.ts';
import { EventFields } from '#web/profile/event-form/EventFields.tsx';
import styles from '#web/profile/event-form/EventForm.module.css';
import { draftOf, withUntouchedTimes } from '#web/profile/event-form/edit-draft.ts';
import { type Scope, SeriesScope } from '#web/profile/event-form/SeriesScope.tsx';
import totals from '#web/profile/event-form/totals.module.css';
import { useEventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { CopyLink } from '#web/profile/events/CopyLink.tsx';
import { type EventEdit, editEventForm } from '#web/profile/form-schemas.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import { DiscardChangesDialog } from './DiscardChangesDialog.tsx';
import { EmailsBuyers } from './EmailsBuyers.tsx';
import { SavedElsewhere } from './SavedElsewhere.tsx';
import { SeriesSaved } from './SeriesSaved.tsx';
import { asksBeforeEmails, saveEdit } from './save-edit.ts';

interface EditEventDialogProps {
  organizer: Profile;
  event: OrganizerEvent;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

export function EditEventDialog(props: EditEventDialogProps) {
  // The profile may reload while the form is open; the form keeps the event it started from.
  const [stored, setStored] = useState(props.event);
  return <EventEditor key={stored.version} {...props} stored={stored} onLoadLatest={() => setStored(props.event)} />;
}

interface EventEditorProps extends EditEventDialogProps {
  stored: OrganizerEvent;
  onLoadLatest: () => void;
}

function EventEditor({ organizer, event, stored, onClose, onSaved, onLoadLatest }: EventEditorProps) {
  const [proposed] = useState(() => draftOf(stored));
  const draft = useEventDraft(null, proposed);
  const [error, setError] = useState<string | null>(null);
  // The version the server rejected as outdated. An event that still has it was not reloaded.
  const [outdated, setOutdated] = useState<string | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  // The version this save is based on.
  const version = useRef(stored.version);
  // What saving emails to whom, until the organizer confirms it or goes on editing.
  const [emails, setEmails] = useState<string | null>(null);
  const emailsConfirmed = useRef(false);
  const [scope, setScope] = useState<Scope>('own');
  const [isSaved, setIsSaved] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);

  const form = useForm(editEventForm, send);
  async function send(edit: EventEdit) {
    setError(null);
    setEmails(null);
    try {
      const wanted = { version: version.current, emailsConfirmed: emailsConfirmed.current };
      // The documented call sends `userId`; the session decides the owner.
      const ids = { eventId: stored.eventId, userId: organizer._id };
      await saveEdit({ ...withUntouchedTimes(edit, stored), ...wanted, ...ids }, scope);
      setIsSaved(true);
      await onSaved();
    } catch (error) {
      const reason = messageFrom(error, unknownError);
      if (asksBeforeEmails(error)) return setEmails(reason);
      // Reload to get the other window's changes.
      const isOlder = codeFrom(error) === 'event.changed';
      if (isOlder) await onSaved();
      setOutdated(isOlder ? version.current : null);
      setError(reason);
      toast.error(submissionFailed(reason));
    } finally {
      emailsConfirmed.current = false;
    }
  }

  async function loadChanges() {
    setIsLoading(true);
    await onSaved();
    setIsLoading(false);
  }

  if (isSaved)
    return (
      <Dialog key="updated" title={scope === 'own' ? eventUpdated : seriesDates.saved} open onClose={onClose}>
        {scope === 'own' ? (
          <div className={totals.created}>
            <p>Your changes are live.</p>
            <CopyLink url={event.eventUrl} />
            <Button onClick={onClose}>Done</Button>
          </div>
        ) : (
          <SeriesSaved eventId={stored.eventId} onDone={() => void onSaved()} onClose={onClose} />
        )}
      </Dialog>
    );

  return (
    <Dialog title="Edit Event" open wide onClose={() => (draft.isChanged ? setIsLeaving(true) : onClose())}>
      <Form form={form} className={styles.form}>
        <EventFields event={draft} stored={stored} terms={stored.feeTerms} />
        <SeriesScope
          event={stored}
          scope={scope}
          onChange={(next) => {
            setScope(next);
            // Other dates have other buyers.
            setEmails(null);
          }}
        />
        {error && outdated !== null && (
          <SavedElsewhere
            stored={stored}
            latest={outdated === event.version ? null : event}
            isSaving={form.submitting || isLoading}
            onSaveAnyway={(latest, button) => {
              version.current = latest.version;
              button.form?.requestSubmit();
            }}
            onTryAgain={() => void loadChanges()}
            onLoadLatest={onLoadLatest}
          />
        )}
        {error && outdated === null && (
          <div ref={bringIntoView} className={styles.error}>
            <Banner kind="error" title="Couldn't save">
              {error}
            </Banner>
          </div>
        )}
        {emails && (
          <div ref={bringIntoView} className={styles.error}>
            <EmailsBuyers
              what={emails}
              isSaving={form.submitting}
              onSave={(button) => {
                emailsConfirmed.current = true;
                button.form?.requestSubmit();
              }}
              onKeepEditing={() => setEmails(null)}
            />
          </div>
        )}
        <div className={styles.submit}>
          <Button type="submit" kind="gold" size="lg" busy={form.submitting}>
            Save Changes
          </Button>
        </div>
      </Form>
      {isLeaving && <DiscardChangesDialog onStay={() => setIsLeaving(false)} onDrop={onClose} />}
    </Dialog>
  );
}
