import { useEffect, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import { eventList as text } from '#messages/records/workspace.ts';
import { eventToRunAgain, RunAgain } from '#web/profile/home/RunAgain.tsx';
import { SampleCard } from '#web/profile/home/SampleCard.tsx';
import { useLoadEarly } from '#web/shell/use-load-early.ts';
import { cardsOf } from './cards-of.ts';
import type { EventDialog } from './EventActions.tsx';
import { cardDetails, EventCard } from './EventCard.tsx';
import { EventList } from './EventList.tsx';
import styles from './EventsSection.module.css';
import { useRefundProgress } from './use-refund-progress.ts';

interface EventsSectionProps {
  access: Access;
  events: readonly OrganizerEvent[];
  isAccountUnconfirmed: boolean;
  /** The event of the list whose card is open. */
  opened: OrganizerEvent | null;
  onToggle: (eventId: string) => Promise<void>;
  onOpen: (dialog: EventDialog, eventId: string) => void;
  onChanged: () => Promise<void>;
}

/** Full cards of the events with something to do, and a line for each event. */
export function EventsSection({ events, opened, onToggle, ...card }: EventsSectionProps) {
  const { access, isAccountUnconfirmed, onOpen, onChanged } = card;
  // A card that turned into a line after a payout would take its outcome along.
  const [kept] = useState(() => new Set<string>());
  const cards = cardsOf(events, new Date(), kept);
  useEffect(() => {
    for (const { eventId } of cards) kept.add(eventId);
  }, [cards, kept]);
  useLoadEarly(cardDetails.load);
  useRefundProgress(opened ? [...events, opened] : events, onChanged);
  const cardOf = (event: OrganizerEvent, startsWithDetails = false) => (
    <EventCard
      key={event.eventId}
      access={access}
      event={event}
      isAccountUnconfirmed={isAccountUnconfirmed}
      startsWithDetails={startsWithDetails}
      onOpen={(dialog) => onOpen(dialog, event.eventId)}
      onChanged={onChanged}
    />
  );

  if (events.length === 0)
    return (
      <section className={styles.section} aria-labelledby="no-events">
        <h2 id="no-events">No events found</h2>
        <SampleCard />
      </section>
    );
  const again = isAllowed(access, 'event.create') ? eventToRunAgain(events, new Date()) : null;
  return (
    <>
      {again && <RunAgain key={again.eventId} event={again} onChanged={onChanged} />}
      {cards.length > 0 && (
        <section className={styles.section} aria-labelledby="events-title">
          <h2 id="events-title">{text.next}</h2>
          <div className={styles.grid}>{cards.map((event) => cardOf(event))}</div>
        </section>
      )}
      {events.length > cards.length && (
        <EventList
          events={events}
          cards={cards.length}
          opened={opened && cardOf(opened, true)}
          openedId={opened?.eventId}
          onToggle={onToggle}
        />
      )}
    </>
  );
}
