import { useCallback } from 'react';
import { Link, useParams } from 'react-router';
import { type CheckInDashboard, checkInDashboard } from '#contract/app/check-in-devices.ts';
import { viewNotLoaded, viewNotRefreshed } from '#messages/check-in-dashboard.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { call } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import type { LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import { usePolled } from '#web/ui/page/use-polled.ts';
import { DoorDashboard } from './DoorDashboard.tsx';
import { dateAndCity } from './date-and-address.ts';
import styles from './door.module.css';
import { toTheSecond } from './event-clock.ts';
import { usePublicEvent } from './use-public-event.ts';

const POLL_MS = 3000;

export function DoorScreen() {
  const { eventId = '' } = useParams();
  // Remounts for another event.
  return <DoorOfEvent key={eventId} eventId={eventId} />;
}

/** Keeps one heading mounted through all states: a new one would lose the focus set by the page change. */
function DoorOfEvent({ eventId }: { eventId: string }) {
  const read = useCallback((signal: AbortSignal) => call(checkInDashboard, { eventId }, { signal }), [eventId]);
  const { view, failure, isUnknown, refresh } = usePolled(read, POLL_MS);
  const publicEvent = usePublicEvent(eventId);
  usePageTitle(view ? `Door · ${view.title}` : 'Door');

  return (
    <Page heading={null} className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.heading}>
          <p className={styles.eyebrow}>Door</p>
          <h1 tabIndex={-1}>{isUnknown ? eventNotFound : (view?.title ?? 'Door')}</h1>
          {view && publicEvent?.event && <p className={styles.when}>{dateAndCity(publicEvent.event)}</p>}
        </div>
        {view && !isUnknown && (
          <div className={styles.aside}>
            <AsOf view={view} isStale={failure !== null} />
            <Link to="/profile">Your events</Link>
          </div>
        )}
      </header>
      {isUnknown && <EventNotFound />}
      {!isUnknown && view && (
        <DoorDashboard eventId={eventId} view={view} publicEvent={publicEvent} onChanged={refresh} />
      )}
      {!isUnknown && !view && (failure === null ? <Loading /> : <NotLoaded failure={failure} onRetry={refresh} />)}
    </Page>
  );
}

/** Not a live region: it changes every few seconds. */
function AsOf({ view: { now, timezone }, isStale }: { view: CheckInDashboard; isStale: boolean }) {
  return (
    <p className={styles.asOf} data-error={isStale || undefined}>
      <Icon name={isStale ? 'alert' : 'clock'} size={18} />
      <span>
        as of <time dateTime={new Date(now).toISOString()}>{toTheSecond(now, timezone)}</time>
        {isStale && `. ${viewNotRefreshed}`}
      </span>
    </p>
  );
}

function EventNotFound() {
  return (
    <div className={styles.fallback}>
      <p>We can't find this event in your account.</p>
      <ButtonLink to="/profile">Your events</ButtonLink>
    </div>
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
