import { useParams } from 'react-router';
import { usePageTitle } from '#web/ui/page-title.ts';
import { AttendantLink } from './AttendantLink.tsx';
import { EventSkeleton } from './EventSkeleton.tsx';
import styles from './event-page.module.css';
import { EventOnPage } from './PublicEventPage.tsx';
import { RequestRefundLink } from './RequestRefundLink.tsx';
import { useEvent } from './use-event.ts';

export function EventScreen() {
  const { eventId = '' } = useParams();
  const { state, reload } = useEvent(eventId);

  if (state.is === 'loading') return <EventSkeleton />;
  if (state.is === 'on-page') return <EventOnPage key={eventId} event={state.event} onStale={() => void reload()} />;
  // The frame around the screen explains it, and can try again.
  if (state.is === 'not-loaded') throw state.error;
  return <UnavailableEvent eventId={eventId} msg={state.msg} />;
}

/** Cancelled, ended or unknown: only the sentence, and the door for those who work there. */
function UnavailableEvent({ eventId, msg }: { eventId: string; msg: string }) {
  usePageTitle(msg);
  return (
    <div className={styles.unavailable}>
      <h1 tabIndex={-1}>{msg}</h1>
      <div className={styles.doors}>
        <RequestRefundLink eventId={eventId} />
        <AttendantLink eventId={eventId} />
      </div>
    </div>
  );
}

export { EventScreen as Component };
