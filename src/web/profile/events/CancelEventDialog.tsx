import { cancelEvent, type OrganizerEvent } from '#contract/app/events.ts';
import { cancelCosts, eventCancelledByOrganizer, ticketsRefunded } from '#messages/events.ts';
import { irreversible } from '#messages/pages.ts';
import { payoutErrors } from '#messages/payouts.ts';
import { seriesDates } from '#messages/series/series-changes.ts';
import { call, messageFrom } from '#web/api.ts';
import { CancelConsequences } from '#web/shell/workspace/CancelConsequences.tsx';
import { ConfirmDanger } from '#web/ui/dialog/ConfirmDanger.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
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
      <CancelConsequences
        preview={refundPreview(event)}
        consequences={[
          ...(event.seriesId ? [seriesDates.onlyThisDate] : []),
          "Sales stop right away and the page says it's cancelled.",
          ticketsRefunded,
          payoutErrors['payout.event-cancelled'],
          ...(event.payout.cancelCosts > 0 ? [cancelCosts(event.payout.cancelCosts)] : []),
          irreversible,
        ]}
      />
    </ConfirmDanger>
  );
}
