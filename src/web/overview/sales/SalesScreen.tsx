import { Link, useParams } from 'react-router';
import { salesPage as text } from '#messages/records/sales-report.ts';
import { linksPage } from '#messages/records/tracking-links.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { Sales } from './Sales.tsx';

export function SalesScreen() {
  const { eventId = '' } = useParams();
  return (
    <EventTab
      key={eventId}
      eventId={eventId}
      tab="overview"
      title={text.title}
      lead={
        <>
          <Link to={`/events/${eventId}`}>{text.overview}</Link> ·{' '}
          <Link to={`/events/${eventId}/links`}>{linksPage.title}</Link>
        </>
      }
    >
      <Sales eventId={eventId} />
    </EventTab>
  );
}

export { SalesScreen as Component };
