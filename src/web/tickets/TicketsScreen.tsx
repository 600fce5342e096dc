import { useParams } from 'react-router';
import { eventErrors } from '#messages/events.ts';
import { ticketSettings as text } from '#messages/sales/ticket-settings.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { useFocusOnHeading } from '#web/ui/page/use-focus-on-heading.ts';
import { PromoCodes } from './promo-codes/PromoCodes.tsx';
import { Questions } from './questions/Questions.tsx';
import { TicketsForm } from './TicketsForm.tsx';
import styles from './tickets.module.css';
import { useTickets } from './use-tickets.ts';

export function TicketsScreen() {
  const { eventId = '' } = useParams();
  return <TicketsOfEvent key={eventId} eventId={eventId} />;
}

function TicketsOfEvent({ eventId }: { eventId: string }) {
  const { tickets, loads, failure, isUnknown, reload } = useTickets(eventId);
  // A save replaces the form, and with it the button that had the focus.
  useFocusOnHeading(loads > 1 ? loads : 0);

  return (
    <EventTab eventId={eventId} tab="tickets" lead={text.lead}>
      {!tickets && !failure && <Skeleton className={styles.loading} />}
      {failure && !isUnknown && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {tickets?.denial && <Banner kind="warning">{eventErrors[`edit.${tickets.denial}`]}</Banner>}
      {tickets && !tickets.denial && !failure && (
        <TicketsForm key={loads} eventId={eventId} stored={tickets} onReload={reload} />
      )}
      {tickets && (
        <PromoCodes
          eventId={eventId}
          types={tickets.tickets}
          timezone={tickets.timezone}
          mayEdit={tickets.denial === null}
        />
      )}
      {tickets && <Questions eventId={eventId} types={tickets.tickets} mayEdit={tickets.denial === null} />}
    </EventTab>
  );
}

export { TicketsScreen as Component };
