import { useEffect, useEffectEvent } from 'react';
import { seriesDates as text } from '#messages/series/series-changes.ts';
import styles from '#web/profile/event-form/EventForm.module.css';
import { ChangeProgress, SeriesDates } from '#web/shell/series/SeriesDates.tsx';
import { changedDates, useSeries } from '#web/shell/series/use-series.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';

interface SeriesSavedProps {
  eventId: string;
  /** Each date has its result. */
  onDone: () => void;
  onClose: () => void;
}

/** Date by date, what became of an edit of several. */
export function SeriesSaved({ eventId, onDone, onClose }: SeriesSavedProps) {
  const { series, failure, refresh } = useSeries(eventId);
  const isDone = series?.change?.isRunning === false;
  const tell = useEffectEvent(onDone);
  useEffect(() => {
    if (isDone) tell();
  }, [isDone]);
  return (
    <div className={styles.saved}>
      {failure && !series && <NotLoaded {...failure} onRetry={async () => refresh()} />}
      {series?.change && (
        <>
          <ChangeProgress series={series} />
          <SeriesDates caption={text.changed} dates={changedDates(series)} eventId={eventId} />
        </>
      )}
      <div className={styles.choices}>
        <Button onClick={onClose}>Done</Button>
        <ButtonLink kind="ghost" to={`/events/${eventId}/dates`}>
          {text.see}
        </ButtonLink>
      </div>
    </div>
  );
}
