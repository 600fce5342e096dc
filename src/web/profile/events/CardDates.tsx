import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import { addDatesTitle, datesText } from '#messages/series/series.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import styles from './CardDates.module.css';

const addDates = lazyScreen(() => import('#web/shell/workspace/dates/AddDatesDialog.tsx'));

interface CardDatesProps {
  access: Access;
  event: OrganizerEvent;
  onChanged: () => Promise<void>;
}

/** Next to an event's date: the others of its series, and more of them. */
export function CardDates({ access, event, onChanged }: CardDatesProps) {
  const [isAdding, setIsAdding] = useState(false);
  const { eventId, seriesId, title, timezone, isDraft, startDate_startTime: startsAt, endDate_endTime: endsAt } = event;
  const mayAdd = isAllowed(access, 'event.create') && !event.isCancelled;
  return (
    <span className={styles.dates}>
      {seriesId !== undefined && <Link to={`/events/${eventId}/dates`}>{datesText.all}</Link>}
      {mayAdd && (
        <button type="button" className={styles.add} aria-haspopup="dialog" onClick={() => setIsAdding(true)}>
          {addDatesTitle}
        </button>
      )}
      {isAdding && (
        <Suspense>
          <addDates.Component
            event={{ eventId, title, startsAt, endsAt, timezone, isDraft }}
            onAdded={onChanged}
            onClose={() => setIsAdding(false)}
          />
        </Suspense>
      )}
    </span>
  );
}
