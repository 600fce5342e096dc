import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { profile } from '#contract/app/accounts.ts';
import { createEvent } from '#contract/app/events.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { beforeOnboarding } from '#messages/accounts.ts';
import { outage, submissionFailed, unknownError } from '#messages/pages.ts';
import { saveStates, eventEditor as text } from '#messages/records/event-editor.ts';
import { lifeActions } from '#messages/sales/event-life.ts';
import { CallError, call, messageFrom } from '#web/api.ts';
import { type CreatedEvent, EventCreated } from '#web/profile/event-dialogs/EventCreated.tsx';
import { useEventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { newEventForm } from '#web/profile/form-schemas.ts';
import { missingSetUp } from '#web/profile/missing-set-up.ts';
import type { Profile } from '#web/profile/use-profile.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { useLogIn } from '#web/ui/page/use-log-in.ts';
import { EditorLayout, FORM_ID } from './EditorLayout.tsx';
import styles from './editor.module.css';
import { fieldsOf } from './typed-event.ts';
import { usePreview } from './use-preview.ts';

const proposed = { timezone: 'America/New_York', isListed: 'yes' };

/** A new event, kept on the device until it is saved as a draft or published. */
export function NewEventScreen() {
  const logIn = useLogIn();
  const [organizer, setOrganizer] = useState<Profile | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const [loads, setLoads] = useState(0);

  // `loads` loads it again.
  useEffect(() => {
    const stop = new AbortController();
    call(profile, {}, { signal: stop.signal }).then(setOrganizer, (error: unknown) => {
      if (stop.signal.aborted) return;
      if (error instanceof CallError && error.status === 401) return logIn();
      setFailure(failureFrom(error, outage));
    });
    return () => stop.abort();
  }, [logIn, loads]);

  async function retry() {
    setFailure(null);
    setLoads((count) => count + 1);
  }

  return (
    <Page title={text.newTitle} lead={text.newLead}>
      {failure && <NotLoaded {...failure} onRetry={retry} />}
      {!organizer && !failure && <Skeleton className={styles.loading} />}
      {organizer && !isAllowed(organizer.access, 'event.create') && <Banner kind="warning">{text.mayNotCreate}</Banner>}
      {organizer && isAllowed(organizer.access, 'event.create') && <NewEvent organizer={organizer} />}
    </Page>
  );
}

function NewEvent({ organizer }: { organizer: Profile }) {
  const navigate = useNavigate();
  const event = useEventDraft(organizer._id, proposed);
  const preview = usePreview(fieldsOf(event), undefined);
  const missing = missingSetUp(organizer);
  const isVerified = !organizer.openSteps.includes('verify-email');
  const [created, setCreated] = useState<CreatedEvent | null>(null);
  // Which of the two buttons was pressed. Enter presses the first.
  const publishes = useRef(false);
  const form = useForm(newEventForm, async (values) => {
    try {
      const reply = await call(createEvent, { ...values, isDraft: !publishes.current });
      event.discard();
      if (publishes.current) return setCreated({ ...reply, timezone: values.timezone });
      toast.success(lifeActions.saved);
      void navigate(`/events/${reply.eventId}/page`, { replace: true });
    } catch (error) {
      toast.error(submissionFailed(messageFrom(error, unknownError)));
    }
  });
  const toFix = Object.keys(form.errors).length;

  if (created) {
    const leave = () => void navigate(`/events/${created.eventId}`, { replace: true });
    return (
      <Dialog title={lifeActions.published} open onClose={leave}>
        <EventCreated created={created} onClose={leave} />
      </Dialog>
    );
  }
  return (
    <EditorLayout
      event={event}
      terms={organizer.plan.terms}
      form={form}
      preview={preview}
      link={null}
      onPhotos={() => undefined}
      notes={
        missing && (
          <Banner kind="warning">
            {missing} {isVerified ? beforeOnboarding.freeOnly : beforeOnboarding.draftOnly}
          </Banner>
        )
      }
      bar={
        <>
          <p role="status" className={styles.state} data-state="waiting">
            {toFix > 0 ? saveStates.toFix(toFix) : saveStates.onDevice}
          </p>
          <div className={styles.actions}>
            <Button
              type="submit"
              form={FORM_ID}
              kind="ghost"
              busy={form.submitting}
              onClick={() => {
                publishes.current = false;
              }}
            >
              {lifeActions.saveDraft}
            </Button>
            <Button
              type="submit"
              form={FORM_ID}
              kind="gold"
              busy={form.submitting}
              onClick={() => {
                publishes.current = true;
              }}
            >
              {lifeActions.publish}
            </Button>
          </div>
        </>
      }
    />
  );
}

export { NewEventScreen as Component };
