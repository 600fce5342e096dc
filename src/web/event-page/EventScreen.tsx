import { useParams } from 'react-router';
import { AttendantLink } from './AttendantLink.tsx';
import { EventOnPage } from './EventOnPage.tsx';
import { EventSkeleton } from './EventSkeleton.tsx';
import styles from './event-page.module.css';
import { useEvent } from './use-event.ts';

export function EventScreen() {
  const { eventId = '' } = useParams();
  const { state, reload } = useEvent(eventId);

  if (state.is === 'loading') return <EventSkeleton />;
  if (state.is === 'on-page') return <EventOnPage key={eventId} event={state.event} onStale={() => void reload()} />;
  return (
    <div className={styles.unavailable}>
      <h1 tabIndex={-1}>{state.msg}</h1>
      <AttendantLink eventId={eventId} />
    </div>
  );
}

export { EventScreen as Component };
