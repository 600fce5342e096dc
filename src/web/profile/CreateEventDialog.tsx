import { useState } from 'react';
import { onboardingIncomplete } from '#contract/accounts.ts';
import { type EventForm } from '#contract/event-form.ts';
import { createEvent } from '#contract/events.ts';
import { call, messageFrom } from '#web/api.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Form } from '#web/ui/Form.tsx';
import { toast } from '#web/ui/toast.ts';
import { useForm } from '#web/ui/use-form.ts';
import { type CreatedEvent, EventCreated } from './EventCreated.tsx';
import { EventFields } from './EventFields.tsx';
import styles from './EventForm.module.css';
import { LeaveDraftDialog } from './LeaveDraftDialog.tsx';
import { eventFormToday } from './rules-of-today.ts';
import { useEventDraft } from './use-event-draft.ts';
import type { Profile } from './use-profile.ts';

const proposed = { timezone: 'America/New_York' };

interface CreateEventDialogProps {
  organizer: Profile;
  onClose: () => void;
  onCreated: () => Promise<void>;
}

export function CreateEventDialog({ organizer, onClose, onCreated }: CreateEventDialogProps) {
  const [created, setCreated] = useState<CreatedEvent | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const event = useEventDraft(organizer._id, proposed);

  const form = useForm(eventFormToday, send);
  async function send(values: EventForm) {
    try {
      setCreated({ ...(await call(createEvent, values)), timezone: values.timezone });
      event.discard();
      await onCreated();
    } catch (error) {
      toast.error(`Submission failed: ${messageFrom(error, 'Unknown error')}`);
    }
  }

  if (created)
    return (
      <Dialog key="created" title="Event Created" open onClose={onClose}>
        <EventCreated created={created} onClose={onClose} />
      </Dialog>
    );

  return (
    <Dialog title="Create Event" open wide onClose={() => (event.isChanged ? setIsLeaving(true) : onClose())}>
      <Form form={form} className={styles.form}>
        {organizer.openSteps.length > 0 && (
          <Banner kind="warning">
            {onboardingIncomplete} You can write the event now; your draft is kept on this device.
          </Banner>
        )}
        <EventFields event={event} />
        <div className={styles.submit}>
          <Button type="submit" kind="gold" size="lg" busy={form.submitting}>
            Create Event
          </Button>
        </div>
      </Form>
      {isLeaving && (
        <LeaveDraftDialog
          onStay={() => setIsLeaving(false)}
          onKeep={onClose}
          onDiscard={() => {
            event.discard();
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}
