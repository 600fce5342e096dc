import { useParams } from 'react-router';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { AttendantLink } from './AttendantLink.tsx';
import { EventSkeleton } from './EventSkeleton.tsx';
import styles from './event-page.module.css';
import { PublicEventPage } from './PublicEventPage.tsx';
import { RequestRefundLink } from './RequestRefundLink.tsx';
import { useEvent } from './use-event.ts';

export function EventScreen() {
  const { eventId = '' } = useParams();
  const { state, reload } = useEvent(eventId);

  if (state.status === 'loading') return <EventSkeleton />;
  if (state.status === 'open')
    return <PublicEventPage key={eventId} event={state.event} onStale={() => void reload()} />;
  // The error boundary around the screen explains it and offers a retry.
  if (state.status === 'not-loaded') throw state.error;
  return <UnavailableEvent eventId={eventId} msg={state.msg} />;
}

/** Cancelled, ended or unknown: shows the message, and the links for refunds and attendants. */
function UnavailableEvent({ eventId, msg }: { eventId: string; msg: string }) {
  usePageTitle(msg);
  return (
    <div className={styles.unavailable}>
      <h1 tabIndex={-1}>{msg}</h1>
      <div className={styles.links}>
        <RequestRefundLink eventId={eventId} />
        <AttendantLink eventId={eventId} />
      </div>
    </div>
  );
}

export { EventScreen as Component };
