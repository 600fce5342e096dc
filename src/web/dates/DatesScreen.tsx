import { useState } from 'react';
import { useParams } from 'react-router';
import { seriesDates as text } from '#messages/series/series-changes.ts';
import { ChangeProgress, SeriesDates } from '#web/shell/series/SeriesDates.tsx';
import { useSeries } from '#web/shell/series/use-series.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { CancelSeriesDialog } from './CancelSeriesDialog.tsx';
import styles from './dates.module.css';

export function DatesScreen() {
  const { eventId = '' } = useParams();
  return <DatesOfSeries key={eventId} eventId={eventId} />;
}

function DatesOfSeries({ eventId }: { eventId: string }) {
  const { series, isLoaded, failure, isUnknown, refresh } = useSeries(eventId);
  const [isCancelling, setIsCancelling] = useState(false);
  const mayCancel = series?.mayCancel && series.dates.some(({ isComing, isDraft }) => isComing && !isDraft);

  return (
    <EventTab
      eventId={eventId}
      tab="dates"
      lead={text.lead}
      actions={
        mayCancel && (
          <Button kind="danger" onClick={() => setIsCancelling(true)}>
            {text.cancel}
          </Button>
        )
      }
    >
      {failure && !isUnknown && !isLoaded && <NotLoaded {...failure} onRetry={async () => refresh()} />}
      {!isLoaded && !failure && !isUnknown && <Skeleton className={styles.loading} />}
      {series?.change && <ChangeProgress series={series} />}
      {isLoaded &&
        (series && series.dates.length > 0 ? (
          <SeriesDates caption={text.coming} dates={series.dates} eventId={eventId} />
        ) : (
          <EmptyState title={text.none} />
        ))}
      {isCancelling && series && (
        <CancelSeriesDialog eventId={eventId} onClose={() => setIsCancelling(false)} onCancelled={() => refresh()} />
      )}
    </EventTab>
  );
}

export { DatesScreen as Component };
