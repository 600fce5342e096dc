import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { createEvent } from '#contract/app/events.ts';
import { type EventForm } from '#contract/forms/event-form.ts';
import { beforeOnboarding } from '#messages/accounts.ts';
import { submissionFailed, unknownError } from '#messages/pages.ts';
import { eventEditor } from '#messages/records/event-editor.ts';
import { lifeActions } from '#messages/sales/event-life.ts';
import { call, messageFrom } from '#web/api.ts';
import { EventFields } from '#web/profile/event-form/EventFields.tsx';
import styles from '#web/profile/event-form/EventForm.module.css';
import { useEventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { newEventForm } from '#web/profile/form-schemas.ts';
import { missingSetUp } from '#web/profile/missing-set-up.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { ProblemCount } from '#web/ui/form/ProblemCount.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { type CreatedEvent, EventCreated } from './EventCreated.tsx';
import { LeaveDraftDialog } from './LeaveDraftDialog.tsx';

const proposed = { timezone: 'America/New_York', isListed: 'yes' };

interface CreateEventDialogProps {
  organizer: Profile;
  onClose: () => void;
  onCreated: () => Promise<void>;
}

export function CreateEventDialog({ organizer, onClose, onCreated }: CreateEventDialogProps) {
  const [created, setCreated] = useState<CreatedEvent | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const missing = missingSetUp(organizer);
  const isVerified = !organizer.openSteps.includes('verify-email');
  const event = useEventDraft(organizer._id, proposed);

  // Which of the two buttons was pressed. Enter presses the first.
  const isDraft = useRef(false);

  const form = useForm(newEventForm, send);
  async function send(values: EventForm) {
    try {
      const reply = await call(createEvent, { ...values, isDraft: isDraft.current });
      event.discard();
      if (isDraft.current) toast.success(lifeActions.saved);
      else setCreated({ ...reply, timezone: values.timezone });
      await onCreated();
      if (isDraft.current) onClose();
    } catch (error) {
      toast.error(submissionFailed(messageFrom(error, unknownError)));
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
        {missing && (
          <Banner kind="warning">
            {missing} {isVerified ? beforeOnboarding.freeOnly : beforeOnboarding.draftOnly}
          </Banner>
        )}
        {/* It continues what is typed here: both keep it on this device. */}
        <p>
          <Link to="/events/new">{eventEditor.openPage}</Link>
        </p>
        <EventFields event={event} terms={organizer.plan.terms} />
        <div className={styles.submit}>
          <Button
            type="submit"
            kind="gold"
            size="lg"
            busy={form.submitting}
            onClick={() => {
              isDraft.current = false;
            }}
          >
            Create Event
          </Button>
          <Button
            type="submit"
            kind="ghost"
            size="lg"
            busy={form.submitting}
            onClick={() => {
              isDraft.current = true;
            }}
          >
            {lifeActions.saveDraft}
          </Button>
          <ProblemCount />
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
