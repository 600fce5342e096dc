import { Link, useParams } from 'react-router';
import { type DoorView, viewNotLoaded, viewNotRefreshed } from '#contract/door-view-words.ts';
import { eventNotFound } from '#contract/event-words.ts';
import { Button, ButtonLink } from '#web/ui/Button.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { Page } from '#web/ui/Page.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Doors } from './DoorDashboard.tsx';
import { whenAndWhere } from './date-and-address.ts';
import styles from './door.module.css';
import { toTheSecond } from './event-clock.ts';
import { useDoorView } from './use-door-view.ts';
import { usePublicFacts } from './use-public-event.ts';

export function DoorScreen() {
  const { eventId = '' } = useParams();
  // Another event begins from nothing.
  return <DoorsOf key={eventId} eventId={eventId} />;
}

/** One heading from the first moment on: a new one would lose the focus that a change of page has put there. */
function DoorsOf({ eventId }: { eventId: string }) {
  const { view, missed, isUnknown, lookAgain } = useDoorView(eventId);
  const facts = usePublicFacts(eventId);
  usePageTitle(view ? `Doors of ${view.title}` : 'Doors');

  return (
    <Page heading={null} className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.words}>
          <p className={styles.eyebrow}>Doors</p>
          <h1 tabIndex={-1}>{isUnknown ? eventNotFound : (view?.title ?? 'Doors')}</h1>
          {view && facts?.event && <p className={styles.when}>{whenAndWhere(facts.event)}</p>}
        </div>
        {view && !isUnknown && (
          <div className={styles.aside}>
            <AsOf view={view} missed={missed} />
            <Link to="/profile">Your events</Link>
          </div>
        )}
      </header>
      {isUnknown && <NoSuchEvent />}
      {!isUnknown && view && <Doors eventId={eventId} view={view} facts={facts} onChanged={lookAgain} />}
      {!isUnknown && !view && (missed === null ? <Loading /> : <NotLoaded why={missed} onRetry={lookAgain} />)}
    </Page>
  );
}

/** No live region: it changes every few seconds. */
function AsOf({ view: { now, timezone }, missed }: { view: DoorView; missed: string | null }) {
  return (
    <p className={styles.asOf} data-missed={missed !== null || undefined}>
      <Icon name={missed === null ? 'clock' : 'alert'} size={18} />
      <span>
        as of <time dateTime={new Date(now).toISOString()}>{toTheSecond(now, timezone)}</time>
        {missed !== null && `. ${viewNotRefreshed}`}
      </span>
    </p>
  );
}

function NoSuchEvent() {
  return (
    <div className={styles.instead}>
      <p>You have no event at this address.</p>
      <ButtonLink to="/profile">Your events</ButtonLink>
    </div>
  );
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading the doors">
      <Skeleton className={styles.loadingHero} />
      <div className={styles.columns}>
        <Skeleton className={styles.loadingCard} />
        <Skeleton className={styles.loadingCard} />
      </div>
      <Skeleton className={styles.loadingCard} />
    </div>
  );
}

function NotLoaded({ why, onRetry }: { why: string; onRetry: () => void }) {
  return (
    <div className={styles.instead} role="alert">
      <p>
        {viewNotLoaded} {why}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

export { DoorScreen as Component };
