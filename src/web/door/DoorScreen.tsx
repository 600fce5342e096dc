import { useCallback } from 'react';
import { useParams } from 'react-router';
import { type CheckInDashboard, checkInDashboard } from '#contract/app/check-in-devices.ts';
import { viewNotLoaded, viewNotRefreshed } from '#messages/check-in-dashboard.ts';
import { call } from '#web/api.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import type { LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { usePolled } from '#web/ui/page/use-polled.ts';
import { DoorDashboard } from './DoorDashboard.tsx';
import styles from './door.module.css';
import { toTheSecond } from './event-clock.ts';
import { usePublicEvent } from './use-public-event.ts';

const POLL_MS = 3000;

export function DoorScreen() {
  const { eventId = '' } = useParams();
  // Remounts for another event.
  return <DoorOfEvent key={eventId} eventId={eventId} />;
}

function DoorOfEvent({ eventId }: { eventId: string }) {
  const read = useCallback((signal: AbortSignal) => call(checkInDashboard, { eventId }, { signal }), [eventId]);
  const { view, failure, isUnknown, refresh } = usePolled(read, POLL_MS);
  const publicEvent = usePublicEvent(eventId);

  return (
    <EventTab
      eventId={eventId}
      tab="door"
      actions={view && !isUnknown && <AsOf view={view} isStale={failure !== null} />}
    >
      {view && <DoorDashboard eventId={eventId} view={view} publicEvent={publicEvent} onChanged={refresh} />}
      {!view && (failure === null ? <Loading /> : <NotLoaded failure={failure} onRetry={refresh} />)}
    </EventTab>
  );
}

/** Not a live region: it changes every few seconds. */
function AsOf({ view: { now, timezone }, isStale }: { view: CheckInDashboard; isStale: boolean }) {
  return (
    <p className={styles.asOf} data-stale={isStale || undefined}>
      <Icon name={isStale ? 'alert' : 'clock'} size={18} />
      <span>
        as of <time dateTime={new Date(now).toISOString()}>{toTheSecond(now, timezone)}</time>
        {isStale && `. ${viewNotRefreshed}`}
      </span>
    </p>
  );
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading the door page">
      <Skeleton className={styles.loadingHero} />
      <div className={styles.columns}>
        <Skeleton className={styles.loadingCard} />
        <Skeleton className={styles.loadingCard} />
      </div>
      <Skeleton className={styles.loadingCard} />
    </div>
  );
}

function NotLoaded({ failure: { msg, mayRetry }, onRetry }: { failure: LoadFailure; onRetry: () => void }) {
  return (
    <div className={styles.fallback} role="alert">
      <p>
        {viewNotLoaded} {msg}
      </p>
      {mayRetry ? <Button onClick={onRetry}>Try again</Button> : <ButtonLink to="/profile">Your events</ButtonLink>}
    </div>
  );
}

export { DoorScreen as Component };
