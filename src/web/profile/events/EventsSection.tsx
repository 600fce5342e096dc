import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { Access } from '#domain/accounts/roles.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import type { EventDialog } from './EventActions.tsx';
import { EventCard } from './EventCard.tsx';
import styles from './EventsSection.module.css';
import { useRefundProgress } from './use-refund-progress.ts';

interface EventsSectionProps {
  access: Access;
  events: readonly OrganizerEvent[];
  isAccountUnconfirmed: boolean;
  /** Loads the next page; null on the last one. */
  onMore: (() => Promise<void>) | null;
  onOpen: (dialog: EventDialog, eventId: string) => void;
  onChanged: () => Promise<void>;
}

export function EventsSection({ access, events, isAccountUnconfirmed, onMore, onOpen, onChanged }: EventsSectionProps) {
  const [isRefreshing, setIsRefreshing] = useState(false);
  const [isLoading, setIsLoading] = useState(false);
  useRefundProgress(events, onChanged);

  async function refresh() {
    setIsRefreshing(true);
    await onChanged();
    setIsRefreshing(false);
  }

  async function loadMore() {
    setIsLoading(true);
    await onMore?.();
    setIsLoading(false);
  }

  if (events.length === 0) return <EmptyState title="No events found" />;
  return (
    <section className={styles.section} aria-labelledby="events-title">
      <header className={styles.head}>
        <h2 id="events-title">Events</h2>
        <Button kind="ghost" busy={isRefreshing} onClick={refresh}>
          Refresh
        </Button>
      </header>
      <div className={styles.grid}>
        {events.map((event) => (
          <EventCard
            key={event.eventId}
            access={access}
            event={event}
            isAccountUnconfirmed={isAccountUnconfirmed}
            onOpen={(dialog) => onOpen(dialog, event.eventId)}
            onChanged={onChanged}
          />
        ))}
      </div>
      {onMore && (
        <Button kind="ghost" busy={isLoading} onClick={loadMore}>
          Show more events
        </Button>
      )}
    </section>
  );
}
