import { Link, useParams } from 'react-router';
import { eventErrors } from '#messages/events.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { guestTablePage } from '#messages/sales/guest-table.ts';
import { ticketSettings as text } from '#messages/sales/ticket-settings.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
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
  usePageTitle(tickets ? `${text.title} · ${tickets.title}` : text.title);

  return (
    <Page heading={null} className={styles.screen}>
      <header className={styles.head}>
        <p className={styles.path}>
          <Link to="/profile">{text.back}</Link>
          {tickets && <span aria-hidden="true"> / {tickets.title}</span>}
        </p>
        <h1 tabIndex={-1}>{isUnknown ? eventNotFound : text.title}</h1>
        {tickets && (
          <div className={styles.lead}>
            <p>
              <strong>{tickets.title}</strong>. {text.lead}
            </p>
            <ButtonLink kind="ghost" to={`/events/${eventId}/guests`}>
              {guestTablePage.all}
            </ButtonLink>
            <ButtonLink kind="ghost" to={`/payment/${eventId}`}>
              {text.view}
            </ButtonLink>
          </div>
        )}
      </header>
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
    </Page>
  );
}

export { TicketsScreen as Component };
