import { useCallback, useEffect, useState } from 'react';
import { cancelSeries, seriesToCancel } from '#contract/app/sales/series-changes.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { cancelCosts, ticketsRefunded } from '#messages/events.ts';
import { irreversible, outage } from '#messages/pages.ts';
import { seriesDates as text } from '#messages/series/series-changes.ts';
import { call, messageFrom } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { CancelConsequences } from '#web/shell/workspace/CancelConsequences.tsx';
import { ConfirmDanger } from '#web/ui/dialog/ConfirmDanger.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './dates.module.css';

interface CancelSeriesDialogProps {
  eventId: string;
  onClose: () => void;
  onCancelled: () => void;
}

/** Says what cancelling all coming dates refunds, and asks for the title. */
export function CancelSeriesDialog({ eventId, onClose, onCancelled }: CancelSeriesDialogProps) {
  const [preview, setPreview] = useState<ReplyOf<typeof seriesToCancel> | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  // Pressed again after its answer was lost, the button sends the same request.
  const [changeId] = useState(newUuid);
  const load = useCallback(async () => {
    try {
      setPreview(await call(seriesToCancel, { eventId }));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, outage));
    }
  }, [eventId]);
  useEffect(() => void load(), [load]);

  async function cancel() {
    try {
      await call(cancelSeries, { eventId, changeId });
      if (preview) toast.success(text.cancelling(preview.dates));
      onCancelled();
      onClose();
    } catch (error) {
      toast.error(messageFrom(error, outage));
    }
  }

  if (!preview)
    return (
      <Dialog title={text.cancel} open onClose={onClose}>
        {failure ? <NotLoaded {...failure} onRetry={load} /> : <Skeleton className={styles.loading} />}
      </Dialog>
    );
  return (
    <ConfirmDanger
      title={text.cancel}
      phrase={preview.title}
      phraseLabel={text.typeTitle}
      confirm={text.cancel}
      cancelLabel={text.keep}
      onConfirm={cancel}
      onClose={onClose}
    >
      <CancelConsequences
        preview={text.refunds(preview)}
        consequences={[
          text.salesStop,
          ticketsRefunded,
          text.othersStay,
          ...(preview.cancelCosts > 0 ? [cancelCosts(preview.cancelCosts)] : []),
          irreversible,
        ]}
      />
    </ConfirmDanger>
  );
}
