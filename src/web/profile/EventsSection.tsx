import { useState } from 'react';
import type { OrganizerEvent } from '#contract/events.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { AddPhotosDialog } from './AddPhotosDialog.tsx';
import { EventCard } from './EventCard.tsx';
import styles from './EventsSection.module.css';

interface EventsSectionProps {
  events: readonly OrganizerEvent[];
  onChanged: () => Promise<void>;
}

export function EventsSection({ events, onChanged }: EventsSectionProps) {
  const [photosFor, setPhotosFor] = useState<OrganizerEvent | null>(null);
  const [isRefreshing, setIsRefreshing] = useState(false);

  async function refresh() {
    setIsRefreshing(true);
    await onChanged();
    setIsRefreshing(false);
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
          <EventCard key={event.eventId} event={event} onAddPhotos={() => setPhotosFor(event)} />
        ))}
      </div>
      {photosFor && <AddPhotosDialog event={photosFor} onClose={() => setPhotosFor(null)} onUploaded={onChanged} />}
    </section>
  );
}
