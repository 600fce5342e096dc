import type { CheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { ticketLine } from '#messages/sales/free-orders.ts';
import { formatShort } from '#web/ui/data/format.ts';
import { Poster } from '#web/ui/ticket/Poster.tsx';
import styles from './checkout-page.module.css';

export function OrderSummary({
  order: { eventId, title, city, timezone, startsAt, tickets },
}: {
  order: CheckoutPage;
}) {
  return (
    <section className={styles.order} aria-labelledby="order">
      <Poster eventId={eventId} className={styles.poster} />
      <div className={styles.about}>
        <h2 id="order">{title}</h2>
        <p className={styles.hint}>
          <time dateTime={startsAt}>{formatShort(startsAt, timezone)}</time>
          <span>{city}</span>
        </p>
        <ul className={styles.tickets}>
          {tickets.map(({ position, ticketName, quantity }) => (
            <li key={position}>{ticketLine(ticketName, quantity)}</li>
          ))}
        </ul>
      </div>
    </section>
  );
}
