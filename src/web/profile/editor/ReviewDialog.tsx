import { useRef, useState } from 'react';
import { type OrganizerEvent } from '#contract/app/events.ts';
import { eventCard } from '#contract/app/records/workspace.ts';
import type { EventPreview } from '#contract/app/sales/event-preview.ts';
import { eventErrors, saveAndEmail } from '#messages/events.ts';
import { unknownError } from '#messages/pages.ts';
import { reviewText as text } from '#messages/records/event-editor.ts';
import { seriesDates } from '#messages/series/series-changes.ts';
import { call, codeFrom, messageFrom } from '#web/api.ts';
import { changesSince } from '#web/profile/event-dialogs/event-changes.ts';
import { SavedElsewhere } from '#web/profile/event-dialogs/SavedElsewhere.tsx';
import { SeriesSaved } from '#web/profile/event-dialogs/SeriesSaved.tsx';
import { asksBeforeEmails, saveEdit } from '#web/profile/event-dialogs/save-edit.ts';
import { withUntouchedTimes } from '#web/profile/event-form/edit-draft.ts';
import { type Scope, SeriesScope } from '#web/profile/event-form/SeriesScope.tsx';
import type { EventEdit } from '#web/profile/form-schemas.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import styles from './editor.module.css';
import { editedOf } from './typed-event.ts';

/** With what a field said before, unless several have its label. */
function changesBetween(stored: OrganizerEvent, next: OrganizerEvent) {
  const before = changesSince(next, stored);
  return changesSince(stored, next).map((change) => {
    const [was, another] = before.filter(({ label }) => label === change.label);
    return { ...change, before: another ? undefined : was?.now };
  });
}

interface ReviewDialogProps {
  stored: OrganizerEvent;
  edit: EventEdit;
  /** As the preview said. Saving asks again if it is otherwise by now. */
  emails: EventPreview['emails'];
  onSaved: () => Promise<void>;
  onClose: () => void;
}

/** What changes, for which dates, and who is emailed, before it is public. */
export function ReviewDialog({ stored, edit, emails, onSaved, onClose }: ReviewDialogProps) {
  const [scope, setScope] = useState<Scope>('own');
  // What saving emails to whom, which the next press confirms.
  const [asked, setAsked] = useState(emails && eventErrors['edit.emails-buyers'](emails));
  const [error, setError] = useState<string | null>(null);
  const [isOutdated, setOutdated] = useState(false);
  const [latest, setLatest] = useState<OrganizerEvent | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [isSeriesSaved, setSeriesSaved] = useState(false);
  const version = useRef(stored.version);
  const changes = changesBetween(stored, editedOf(stored, edit));

  async function save() {
    setIsSaving(true);
    setError(null);
    try {
      const wanted = { version: version.current, emailsConfirmed: asked !== null };
      await saveEdit({ ...withUntouchedTimes(edit, stored), ...wanted, eventId: stored.eventId }, scope);
      toast.success(text.published);
      if (scope !== 'own') return setSeriesSaved(true);
      onClose();
      await onSaved();
    } catch (failure) {
      const reason = messageFrom(failure, unknownError);
      if (asksBeforeEmails(failure)) return setAsked(reason);
      const isOlder = codeFrom(failure) === 'event.changed';
      setOutdated(isOlder);
      if (isOlder) await loadLatest();
      else setError(reason);
    } finally {
      setIsSaving(false);
    }
  }

  async function loadLatest() {
    try {
      setLatest((await call(eventCard, { eventId: stored.eventId })).event);
    } catch {
      setLatest(null);
    }
  }

  if (isSeriesSaved) {
    const close = () => {
      onClose();
      void onSaved();
    };
    return (
      <Dialog key="saved" title={seriesDates.saved} open onClose={close}>
        <SeriesSaved eventId={stored.eventId} onDone={() => undefined} onClose={close} />
      </Dialog>
    );
  }
  return (
    <Dialog title={text.title} open wide onClose={onClose}>
      <div className={styles.review}>
        {changes.length === 0 ? (
          <p>{text.none}</p>
        ) : (
          <dl className={styles.changes}>
            {changes.map(({ label, now, before }) => (
              <div key={`${label} ${now}`}>
                <dt>{label}</dt>
                <dd>{now}</dd>
                {before && <dd className={styles.before}>{text.before(before)}</dd>}
              </div>
            ))}
          </dl>
        )}
        <SeriesScope
          event={stored}
          scope={scope}
          onChange={(next) => {
            setScope(next);
            // Other dates have other buyers.
            setAsked(null);
          }}
        />
        {isOutdated && (
          <SavedElsewhere
            stored={stored}
            latest={latest}
            isSaving={isSaving}
            onSaveAnyway={(theirs) => {
              version.current = theirs.version;
              setOutdated(false);
              void save();
            }}
            onTryAgain={() => void loadLatest()}
            onLoadLatest={() => {
              onClose();
              void onSaved();
            }}
          />
        )}
        {error && <Banner kind="error" role="alert" title={error} />}
        {asked !== null && !isOutdated && (
          <div ref={bringIntoView}>
            <Banner kind="warning" role="alert" title={asked} />
          </div>
        )}
        {!isOutdated && (
          <div className={styles.choices}>
            <Button kind="gold" busy={isSaving} onClick={() => void save()}>
              {asked === null ? text.publish : saveAndEmail}
            </Button>
            <Button kind="ghost" onClick={onClose}>
              {text.keep}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
