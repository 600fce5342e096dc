import { cancelEvent, eventCancelledByOrganizer, type OrganizerEvent } from '#contract/events.ts';
import { call, messageFrom } from '#web/api.ts';
import { ConfirmDanger } from '#web/ui/dialog/ConfirmDanger.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './CancelEventDialog.module.css';
import { refundPreview } from './event-totals.ts';

interface CancelEventDialogProps {
  event: OrganizerEvent;
  onClose: () => void;
  onCancelled: () => Promise<void>;
}

export function CancelEventDialog({ event, onClose, onCancelled }: CancelEventDialogProps) {
  async function cancel() {
    try {
      await call(cancelEvent, { eventId: event.eventId });
      toast.success(eventCancelledByOrganizer);
      await onCancelled();
      onClose();
    } catch (error) {
      toast.error(messageFrom(error, 'Error cancelling event'));
    }
  }

  return (
    <ConfirmDanger
      title="Cancel Event"
      phrase={event.title}
      phraseLabel="Type the title"
      confirm="Cancel Event"
      cancelLabel="Keep the event"
      onConfirm={cancel}
      onClose={onClose}
    >
      <p className={styles.preview}>{refundPreview(event)}</p>
      <ul className={styles.consequences}>
        <li>Sales stop at once, and the event page says that the event is cancelled.</li>
        <li>Every ticket is refunded in full, used at the door or not. Buyers get a mail.</li>
        <li>There is no payout for a cancelled event.</li>
        <li>This cannot be undone.</li>
      </ul>
    </ConfirmDanger>
  );
}
