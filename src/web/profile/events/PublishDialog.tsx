import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { eventRows } from '#contract/app/records/workspace.ts';
import { publishEvent } from '#contract/app/sales/event-life.ts';
import { affiliateCode } from '#contract/forms/event-form.ts';
import { outage } from '#messages/pages.ts';
import { lifeActions as text } from '#messages/sales/event-life.ts';
import { datesText } from '#messages/series/series.ts';
import { call } from '#web/api.ts';
import { type CreatedEvent, EventCreated } from '#web/profile/event-dialogs/EventCreated.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './LifeActions.module.css';

const publishForm = z.object({ affiliateCode });

interface PublishDialogProps {
  event: OrganizerEvent;
  onPublished: () => Promise<void>;
  onClose: () => void;
}

export function PublishDialog({ event, onPublished, onClose }: PublishDialogProps) {
  const [published, setPublished] = useState<CreatedEvent | null>(null);
  const drafts = useDraftDates(event.seriesId);
  const publishesAll = useRef(false);
  const form = useForm(
    publishForm,
    async (values) => {
      const allDates = publishesAll.current;
      const reply = await call(publishEvent, { ...values, eventId: event.eventId, ...(allDates && { allDates }) });
      if (allDates) toast.success(datesText.allPublished);
      setPublished({ ...reply, timezone: event.timezone });
      await onPublished();
    },
    { fallback: outage },
  );

  if (published)
    return (
      <Dialog key="published" title={text.published} open onClose={onClose}>
        <EventCreated created={published} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={text.publish} open onClose={onClose}>
      <Form form={form} className={styles.body}>
        <p>
          {text.publishMeans(event.title)}
          {drafts > 1 && ` ${datesText.publishMeans(drafts)}`}
        </p>
        <TextField label={text.affiliateCode} name="affiliateCode" autoComplete="off" />
        <div className={styles.choices}>
          {drafts > 1 && (
            <Button
              type="submit"
              kind="gold"
              busy={form.submitting}
              onClick={() => {
                publishesAll.current = true;
              }}
            >
              {datesText.publishAll(drafts)}
            </Button>
          )}
          <Button
            type="submit"
            kind={drafts > 1 ? 'ghost' : 'gold'}
            busy={form.submitting}
            onClick={() => {
              publishesAll.current = false;
            }}
          >
            {drafts > 1 ? datesText.publishOne : text.publish}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.keepDraft}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** How many dates of the series are drafts. Without an answer, this one is published alone. */
function useDraftDates(seriesId: string | undefined): number {
  const [drafts, setDrafts] = useState(0);
  useEffect(() => {
    if (seriesId === undefined) return;
    const stop = new AbortController();
    call(eventRows, { seriesId, group: 'drafts' }, { signal: stop.signal }).then(
      ({ counts }) => setDrafts(counts.drafts),
      () => undefined,
    );
    return () => stop.abort();
  }, [seriesId]);
  return drafts;
}

export { PublishDialog as Component };
