import { type OrganizerEvent } from '#contract/app/events.ts';
import { eventErrors, onlyTicketSettingsChanged } from '#messages/events.ts';
import styles from '#web/profile/event-form/EventForm.module.css';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import { changesSince } from './event-changes.ts';

interface SavedElsewhereProps extends Omit<EditConflictProps, 'latest'> {
  /** Null if it did not load. */
  latest: OrganizerEvent | null;
  onTryAgain: () => void;
}

/** Another window saved first. Scrolls itself into view. */
export function SavedElsewhere({ latest, onTryAgain, ...conflict }: SavedElsewhereProps) {
  return (
    <div ref={bringIntoView} className={styles.error}>
      {latest ? (
        <EditConflict {...conflict} latest={latest} />
      ) : (
        <ChangesNotLoaded isLoading={conflict.isSaving} onTryAgain={onTryAgain} />
      )}
    </div>
  );
}

interface NotLoadedProps {
  isLoading: boolean;
  onTryAgain: () => void;
}

/** The reload failed, so there is nothing to compare yet. */
function ChangesNotLoaded({ isLoading, onTryAgain }: NotLoadedProps) {
  return (
    <Banner kind="warning" role="alert" title={eventErrors['event.changed']}>
      <p>We couldn't load what changed. What you typed is still here.</p>
      <div className={styles.choices}>
        <Button busy={isLoading} onClick={onTryAgain}>
          Try again
        </Button>
      </div>
    </Banner>
  );
}

interface EditConflictProps {
  /** The event as the form loaded it. */
  stored: OrganizerEvent;
  latest: OrganizerEvent;
  /** Or loading. */
  isSaving: boolean;
  onSaveAnyway: (latest: OrganizerEvent, button: HTMLButtonElement) => void;
  onLoadLatest: () => void;
}

/** Shows which fields changed and asks which version wins. */
function EditConflict({ stored, latest, isSaving, onSaveAnyway, onLoadLatest }: EditConflictProps) {
  const changes = changesSince(stored, latest);
  return (
    <Banner kind="warning" role="alert" title={eventErrors['event.changed']}>
      {changes.length === 0 ? (
        <p>{onlyTicketSettingsChanged}</p>
      ) : (
        <>
          <ul className={styles.changes}>
            {changes.map(({ label, now }) => (
              <li key={`${label} ${now}`}>
                {label}: now <q>{now}</q>
              </li>
            ))}
          </ul>
          <p className={styles.changesHint}>
            Save yours to replace these, or load the latest version and lose what you typed here.
          </p>
        </>
      )}
      <div className={styles.choices}>
        <Button busy={isSaving} onClick={({ currentTarget }) => onSaveAnyway(latest, currentTarget)}>
          Save mine anyway
        </Button>
        <Button kind="ghost" onClick={onLoadLatest}>
          Load the latest
        </Button>
      </div>
    </Banner>
  );
}
