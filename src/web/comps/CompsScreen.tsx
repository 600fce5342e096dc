import { Link, useParams } from 'react-router';
import { compsPage as text } from '#messages/sales/comps.ts';
import { guestTablePage } from '#messages/sales/guest-table.ts';
import { importPage } from '#messages/sales/import-guests.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { AddGuests } from './AddGuests.tsx';
import { CompList } from './CompList.tsx';
import styles from './comps.module.css';
import { ImportGuests } from './import/ImportGuests.tsx';
import { useComps } from './use-comps.ts';

export function CompsScreen() {
  const { eventId = '' } = useParams();
  return <CompsOfEvent key={eventId} eventId={eventId} />;
}

function CompsOfEvent({ eventId }: { eventId: string }) {
  const { page, failure, isUnknown, reload, loadMore, isLoading } = useComps(eventId);

  return (
    <EventTab
      eventId={eventId}
      tab="guests"
      title={text.title}
      lead={
        <>
          {text.lead} <Link to={`/events/${eventId}/guests`}>{guestTablePage.all}</Link>
        </>
      }
    >
      {!page && !failure && <Skeleton className={styles.loading} />}
      {failure && !isUnknown && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {page?.denial && <Banner kind="warning">{text.closed[page.denial]}</Banner>}
      {page && !page.denial && (
        <>
          <AddGuests eventId={eventId} types={page.types} onAdded={reload} />
          <ImportGuests eventId={eventId} types={page.types} onImported={reload} />
        </>
      )}
      {page?.isImporting && (
        <Banner kind="info" role="status">
          {importPage.underWay}
        </Banner>
      )}
      {page && <CompList eventId={eventId} page={page} isLoading={isLoading} onMore={loadMore} onWithdrawn={reload} />}
    </EventTab>
  );
}

export { CompsScreen as Component };
