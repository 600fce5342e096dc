import { useParams } from 'react-router';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { Overview } from './Overview.tsx';

export function OverviewScreen() {
  const { eventId = '' } = useParams();
  return (
    <EventTab key={eventId} eventId={eventId} tab="overview">
      <Overview eventId={eventId} />
    </EventTab>
  );
}

export { OverviewScreen as Component };
