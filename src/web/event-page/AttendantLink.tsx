import { useNavigate } from 'react-router';
import type { PublicEvent } from '#contract/app/events.ts';
import { Button } from '#web/ui/button/Button.tsx';

/** Links to the scanner, and passes the event if it is loaded. */
export function AttendantLink({ eventId, event }: { eventId: string; event?: PublicEvent }) {
  const navigate = useNavigate();
  return (
    <Button kind="ghost" onClick={() => void navigate('/scanner', { state: { eventId, event } })}>
      I am an Attendant
    </Button>
  );
}
