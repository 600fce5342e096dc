import { useState } from 'react';
import * as z from 'zod/mini';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { publishEvent } from '#contract/app/sales/event-life.ts';
import { affiliateCode } from '#contract/forms/event-form.ts';
import { outage } from '#messages/pages.ts';
import { lifeActions as text } from '#messages/sales/event-life.ts';
import { call } from '#web/api.ts';
import { type CreatedEvent, EventCreated } from '#web/profile/event-dialogs/EventCreated.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
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
  const form = useForm(
    publishForm,
    async (values) => {
      const reply = await call(publishEvent, { ...values, eventId: event.eventId });
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
        <p>{text.publishMeans(event.title)}</p>
        <TextField label={text.affiliateCode} name="affiliateCode" autoComplete="off" />
        <div className={styles.choices}>
          <Button type="submit" kind="gold" busy={form.submitting}>
            {text.publish}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.keepDraft}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
