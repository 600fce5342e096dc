import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { eventTickets, type OrganizerEvent } from '#contract/app/events.ts';
import { eventCard } from '#contract/app/records/workspace.ts';
import { duplicateEvent } from '#contract/app/sales/event-life.ts';
import { eventErrors } from '#messages/events.ts';
import { outage } from '#messages/pages.ts';
import { eventEditor as text } from '#messages/records/event-editor.ts';
import { lifeActions } from '#messages/sales/event-life.ts';
import { CallError, call, messageFrom } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { mayCreateEvents } from '#web/shell/workspace/tabs.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { useFocusOnHeading } from '#web/ui/page/use-focus-on-heading.ts';
import { useLogIn } from '#web/ui/page/use-log-in.ts';
import { EventEditor } from './EventEditor.tsx';
import styles from './editor.module.css';

export function PageScreen() {
  const { eventId = '' } = useParams();
  return <PageOfEvent key={eventId} eventId={eventId} />;
}

function PageOfEvent({ eventId }: { eventId: string }) {
  const { loaded, loads, failure, reload } = useStoredEvent(eventId);
  const [saves, setSaves] = useState(0);
  const { hash } = useLocation();
  // Starting over replaces the form, and with it the button that had the focus. An address can name a part of it.
  useFocusOnHeading(loads > 1 && !hash ? loads : 0);

  return (
    <EventTab
      eventId={eventId}
      tab="page"
      lead={text.lead}
      changes={saves + loads}
      actions={(frame) => loaded && mayCreateEvents(frame) && <Duplicate event={loaded.event} />}
    >
      {!loaded && !failure && <Skeleton className={styles.loading} />}
      {failure && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {loaded?.denial && <Banner kind="warning">{eventErrors[`edit.${loaded.denial}`]}</Banner>}
      {loaded && !loaded.denial && (
        <EventEditor
          key={loads}
          event={loaded.event}
          onReload={reload}
          onSaved={() => setSaves((count) => count + 1)}
        />
      )}
    </EventTab>
  );
}

/** The event, and why it can't be edited. Not kept up to date: the form is based on it. */
function useStoredEvent(eventId: string) {
  const logIn = useLogIn();
  const [loaded, setLoaded] = useState<{
    event: OrganizerEvent;
    denial: 'event-cancelled' | 'event-paid-out' | null;
  }>();
  const [loads, setLoads] = useState(0);
  const [failure, setFailure] = useState<LoadFailure | null>(null);

  const reload = useCallback(async () => {
    try {
      const [{ event }, { denial }] = await Promise.all([
        call(eventCard, { eventId }),
        call(eventTickets, { eventId }),
      ]);
      setLoaded({ event, denial });
      setLoads((count) => count + 1);
      setFailure(null);
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      if (status === 401) return logIn();
      // The frame says of an unknown event what there is to say.
      if (status !== 404) setFailure(failureFrom(error, outage));
    }
  }, [eventId, logIn]);
  useEffect(() => void reload(), [reload]);

  return { loaded, loads, failure, reload };
}

function Duplicate({ event: { eventId, title } }: { event: OrganizerEvent }) {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  // Pressed again after a lost answer, it asks for the same copy.
  const duplicateId = useRef(newUuid());
  async function duplicate() {
    setIsBusy(true);
    try {
      const copy = await call(duplicateEvent, { eventId, duplicateId: duplicateId.current });
      toast.success(lifeActions.duplicated(title));
      void navigate(`/events/${copy.eventId}/page`);
    } catch (error) {
      toast.error(messageFrom(error, outage));
      setIsBusy(false);
    }
  }
  return (
    <Button kind="ghost" busy={isBusy} onClick={() => void duplicate()}>
      {lifeActions.duplicate}
    </Button>
  );
}

export { PageScreen as Component };
