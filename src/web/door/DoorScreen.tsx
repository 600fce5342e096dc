import { useParams } from 'react-router';
import { viewNotLoaded } from '#contract/door-view-words.ts';
import { eventNotFound } from '#contract/event-words.ts';
import { Button, ButtonLink } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Page } from '#web/ui/Page.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Doors } from './Doors.tsx';
import styles from './door.module.css';
import { useDoorView } from './use-door-view.ts';

export function DoorScreen() {
  const { eventId = '' } = useParams();
  // Another event begins from nothing.
  return <DoorsOf key={eventId} eventId={eventId} />;
}

function DoorsOf({ eventId }: { eventId: string }) {
  const { view, missed, isUnknown, lookAgain } = useDoorView(eventId);
  usePageTitle(view ? `Doors of ${view.title}` : 'Doors');

  if (isUnknown) return <NoSuchEvent />;
  if (view) return <Doors eventId={eventId} view={view} missed={missed} onChanged={lookAgain} />;
  return <Page heading="Doors">{missed === null ? <Loading /> : <NotLoaded why={missed} onRetry={lookAgain} />}</Page>;
}

function NoSuchEvent() {
  return (
    <EmptyState title={eventNotFound} level={1} actions={<ButtonLink to="/profile">Your events</ButtonLink>}>
      You have no event at this address.
    </EmptyState>
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
    <div className={styles.notLoaded} role="alert">
      <p>
        {viewNotLoaded} {why}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

export { DoorScreen as Component };
