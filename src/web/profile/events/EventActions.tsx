import type { OrganizerEvent } from '#contract/app/events.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './EventActions.module.css';
import { cancelDenial, editDenial } from './event-totals.ts';

/** Dialogs that belong to one event. */
export type EventDialog = 'edit-event' | 'add-photos' | 'delete-photos' | 'change-code' | 'cancel-event';

interface EventActionsProps {
  event: OrganizerEvent;
  onOpen: (dialog: EventDialog) => void;
}

/** An unavailable button stays in place, greyed out, and explains why when pressed. */
export function EventActions({ event, onOpen }: EventActionsProps) {
  const noEdit = editDenial(event);
  const noCancel = cancelDenial(event);
  const openUnless = (denial: string | null, dialog: EventDialog) => () =>
    denial ? toast.error(denial) : onOpen(dialog);

  return (
    <div className={styles.actions}>
      <Button kind="ghost" aria-disabled={noEdit !== null || undefined} onClick={openUnless(noEdit, 'edit-event')}>
        Edit Event
      </Button>
      <ButtonLink kind="ghost" to={`/door/${event.eventId}`}>
        Door
      </ButtonLink>
      <Button kind="ghost" onClick={() => onOpen('add-photos')}>
        Add Photos
      </Button>
      <Button kind="ghost" onClick={() => onOpen('delete-photos')}>
        Delete Photos
      </Button>
      <Button
        kind="danger"
        className={styles.last}
        aria-disabled={noCancel !== null || undefined}
        onClick={openUnless(noCancel, 'cancel-event')}
      >
        Cancel Event
      </Button>
    </div>
  );
}
