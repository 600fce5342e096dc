import { cancelEvent, type OrganizerEvent } from '#contract/app/events.ts';
import { cancelCosts, eventCancelledByOrganizer } from '#messages/events.ts';
import { irreversible } from '#messages/pages.ts';
import { payoutErrors } from '#messages/payouts.ts';
import { seriesDates } from '#messages/series/series-changes.ts';
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
      phraseLabel="Type the event title to confirm"
      confirm="Cancel Event"
      cancelLabel="Keep the event"
      onConfirm={cancel}
      onClose={onClose}
    >
      <p className={styles.preview}>{refundPreview(event)}</p>
      <ul className={styles.consequences}>
        {event.seriesId && <li>{seriesDates.onlyThisDate}</li>}
        <li>Sales stop right away and the page says it's cancelled.</li>
        <li>Every ticket is refunded in full, even if it was scanned. We'll email your buyers.</li>
        <li>{payoutErrors['payout.event-cancelled']}</li>
        {event.payout.cancelCosts > 0 && <li>{cancelCosts(event.payout.cancelCosts)}</li>}
        <li>{irreversible}</li>
      </ul>
    </ConfirmDanger>
  );
}
