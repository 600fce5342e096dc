/**
 * The first page of ours after *Checkout* on another website: it starts the checkout of the cart in its address, or says why it
 * doesn't. See docs/decisions/0099.
 */
import { Link, useParams } from 'react-router';
import { formatCents } from '#messages/format.ts';
import { takenOverCart as text } from '#messages/programs/embed.ts';
import { eventChanged } from '#messages/records/page-changes.ts';
import { ticketLine } from '#messages/sales/free-orders.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { Poster } from '#web/ui/ticket/Poster.tsx';
import styles from './taken-over-cart.module.css';
import { centsOfLine } from './taken-over-lines.ts';
import { useTakenOverCart } from './use-taken-over-cart.ts';

export function TakenOverCartScreen() {
  const { eventId = '' } = useParams();
  const { taken, isOpening, problem, changed, retry, open } = useTakenOverCart(eventId);

  return (
    <Page title={taken || problem !== null ? text.title : text.loading} width="narrow">
      {taken?.differs && !isOpening && <Banner kind="warning" role="alert" title={text.differs} />}
      {problem !== null && (
        <Banner kind="warning" role="alert" title={problem}>
          {text.problem}
        </Banner>
      )}
      {changed && (
        <Banner kind="warning" role="alert" title={eventChanged.title}>
          {changed.changes.map(({ what, msg }) => (
            <p key={what}>{msg}</p>
          ))}
          <p>{eventChanged.text}</p>
        </Banner>
      )}
      {taken && <Order of={taken} />}
      <div className={styles.actions}>
        {taken && taken.lines.length > 0 && (
          <Button kind="gold" size="lg" busy={isOpening} onClick={open}>
            {isOpening ? text.opening : changed ? eventChanged.goOn : text.checkout}
          </Button>
        )}
        {!taken && problem !== null && <Button onClick={retry}>{text.retry}</Button>}
        {(taken || problem !== null) && (
          <ButtonLink kind="ghost" to={`/payment/${encodeURIComponent(eventId)}${window.location.search}`}>
            {text.toEvent}
          </ButtonLink>
        )}
      </div>
      {taken && (
        <p className={styles.terms}>
          {text.terms} <Link to="/Legal">{text.termsLink}</Link>.
        </p>
      )}
    </Page>
  );
}

type Taken = NonNullable<ReturnType<typeof useTakenOverCart>['taken']>;

function Order({ of: { event, lines, totalCents } }: { of: Taken }) {
  const { startDate_startTime: startsAt, timezone } = event;
  return (
    <section className={styles.order} aria-labelledby="order">
      <Poster eventId={event.eventId} className={styles.poster} />
      <div className={styles.about}>
        <h2 id="order">{event.title}</h2>
        <p className={styles.when}>
          {event.subtitle && <span>{event.subtitle}</span>}
          <time dateTime={startsAt}>{formatShort(startsAt, timezone)}</time>
          <span>
            {event.venueName ?? event.street}, {event.city}
          </span>
        </p>
        {lines.length === 0 ? (
          <p>{text.empty}</p>
        ) : (
          <ul className={styles.lines}>
            {lines.map((line) => (
              <li key={line.ticket.ticketId}>
                <span>{ticketLine(line.ticket.ticketName, line.quantity)}</span>
                <span>{formatCents(centsOfLine(line))}</span>
              </li>
            ))}
            <li className={styles.total}>
              <span>{text.total}</span>
              <strong>{formatCents(totalCents)}</strong>
            </li>
          </ul>
        )}
      </div>
    </section>
  );
}

export { TakenOverCartScreen as Component };
