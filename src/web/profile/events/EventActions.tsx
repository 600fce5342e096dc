import type { ReactNode } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Access, type Action, isAllowed } from '#domain/accounts/roles.ts';
import { arrangeText } from '#messages/records/arrange-photos.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './EventActions.module.css';
import { cancelDenial, editDenial } from './event-totals.ts';

/** Dialogs that belong to one event. */
export type EventDialog =
  | 'edit-event'
  | 'add-photos'
  | 'arrange-photos'
  | 'delete-photos'
  | 'change-code'
  | 'cancel-event';

interface EventActionsProps {
  access: Access;
  event: OrganizerEvent;
  onOpen: (dialog: EventDialog) => void;
  /** Further buttons. */
  children: ReactNode;
}

/** Only what the member's role permits. An unavailable button stays in place, greyed out, and explains why when pressed. */
export function EventActions({ access, event, onOpen, children }: EventActionsProps) {
  const noEdit = editDenial(event);
  const noCancel = cancelDenial(event);
  const openUnless = (denial: string | null, dialog: EventDialog) => () =>
    denial ? toast.error(denial) : onOpen(dialog);

  const may = (action: Action) => isAllowed(access, action);

  return (
    <div className={styles.actions}>
      {may('event.edit') && (
        <Button kind="ghost" aria-disabled={noEdit !== null || undefined} onClick={openUnless(noEdit, 'edit-event')}>
          Edit Event
        </Button>
      )}
      {may('check-in.scan') && !may('check-in.manage') && !event.isDraft && (
        <ButtonLink kind="gold" to={`/scanner?event=${event.eventId}`}>
          Check in guests
        </ButtonLink>
      )}
      {may('event.edit') && (
        <>
          <Button kind="ghost" onClick={() => onOpen('add-photos')}>
            Add Photos
          </Button>
          {event.eventPhotos.length > 0 && (
            <Button kind="ghost" onClick={() => onOpen('arrange-photos')}>
              {arrangeText.title}
            </Button>
          )}
          <Button kind="ghost" onClick={() => onOpen('delete-photos')}>
            Delete Photos
          </Button>
        </>
      )}
      {children}
      {may('event.cancel') && !event.isDraft && (
        <Button
          kind="danger"
          className={styles.last}
          aria-disabled={noCancel !== null || undefined}
          onClick={openUnless(noCancel, 'cancel-event')}
        >
          Cancel Event
        </Button>
      )}
    </div>
  );
}
