/** How an event is doing. It reads itself again while it is visible. */
import { useCallback } from 'react';
import { Link } from 'react-router';
import { type EventOverview, eventOverview } from '#contract/app/records/overview.ts';
import { formatDollars } from '#messages/format.ts';
import { overview as text } from '#messages/records/overview.ts';
import { salesPage } from '#messages/records/sales-report.ts';
import { call } from '#web/api.ts';
import { ProgressBar } from '#web/ui/chart/ProgressBar.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { usePolled } from '#web/ui/page/use-polled.ts';
import { ActivityCard } from './ActivityCard.tsx';
import { DoorFigures, Figures } from './Figures.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import styles from './overview.module.css';
import { Recap } from './Recap.tsx';
import { LastDaysCard, PaceCard } from './SalesCharts.tsx';
import { ShareKit } from './ShareKit.tsx';

const POLL_MS = 15_000;
/** Charts of fewer sales say nothing. */
const SALES_FOR_CHARTS = 5;

export function Overview({ eventId }: { eventId: string }) {
  const read = useCallback((signal: AbortSignal) => call(eventOverview, { eventId }, { signal }), [eventId]);
  const { view, failure, refresh } = usePolled(read, POLL_MS);

  if (!view) {
    if (failure) return <NotLoaded {...failure} onRetry={async () => refresh()} />;
    return (
      <div role="status" aria-label={text.loading} className={styles.overview}>
        <Skeleton className={styles.loadingTiles} />
        <Skeleton className={styles.loadingCards} />
      </div>
    );
  }
  return (
    <div className={styles.overview}>
      {failure && <Banner kind="warning" title={text.notRefreshed} />}
      <Content eventId={eventId} view={view} />
    </div>
  );
}

function Content({ eventId, view }: { eventId: string; view: EventOverview }) {
  const { title, phase, sold, eventUrl, seriesUrl, activity, may } = view;
  const hasCharts = sold >= SALES_FOR_CHARTS;
  const isSelling = phase === 'ahead' || phase === 'today';
  const kit = isSelling && (
    <ShareKit
      eventId={eventId}
      title={title}
      urls={{ eventUrl, seriesUrl }}
      isLarge={!hasCharts}
      seesLinks={may.includes('sales.view')}
      mayEdit={may.includes('event.edit')}
    />
  );

  return (
    <>
      {phase === 'cancelled' && (
        <Banner kind="error" title={text.cancelled}>
          {text.cancelledText}
        </Banner>
      )}
      {phase === 'today' && <DoorFigures eventId={eventId} view={view} />}
      {phase === 'over' && <Recap eventId={eventId} view={view} />}
      <NeedsYou eventId={eventId} view={view} />
      <Figures eventId={eventId} view={view} />
      {!hasCharts && kit}
      {hasCharts && (
        <div className={styles.columns}>
          <PaceCard view={view} />
          <LastDaysCard view={view} />
        </div>
      )}
      <div className={styles.columns}>
        <div className={styles.stack}>
          <TypesCard
            eventId={eventId}
            types={view.types}
            seesGuests={may.includes('guest.view')}
            seesSales={may.includes('sales.view')}
          />
          {hasCharts && kit}
        </div>
        {activity && <ActivityCard eventId={eventId} activity={activity} now={view.now} />}
      </div>
    </>
  );
}

interface TypesCardProps {
  eventId: string;
  types: EventOverview['types'];
  seesGuests: boolean;
  seesSales: boolean;
}

function TypesCard({ eventId, types, seesGuests, seesSales }: TypesCardProps) {
  return (
    <section className={styles.card} aria-labelledby="overview-types">
      <div className={styles.cardHead}>
        <h2 id="overview-types">{text.typesTitle}</h2>
        {seesSales && <Link to={`/events/${eventId}/sales`}>{salesPage.link}</Link>}
      </div>
      <ul className={styles.types}>
        {types.map(({ ticketId, ticketName, isAddOn, sold, offered, gross }) => {
          const name = isAddOn ? text.addOn(ticketName) : ticketName;
          return (
            <li key={ticketId}>
              {seesGuests ? <Link to={`/events/${eventId}/guests?type=${ticketId}`}>{name}</Link> : <span>{name}</span>}
              <span className={styles.counts}>
                {text.soldOf(sold, offered)}
                {gross !== null && <b>{formatDollars(gross)}</b>}
              </span>
              <ProgressBar value={sold} max={offered} tone="sold" className={styles.bar} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
