import { type FoundOrder as Found } from '#contract/app/brakes.ts';
import { formatCents } from '#messages/format.ts';
import { orderStateTexts, searchTexts as text } from '#messages/operations/brakes.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import styles from './Search.module.css';

/** An order, by its number, its buyer or an ID of Stripe's. */
export function FoundOrder({ order }: { order: Found }) {
  const { orderId, eventId, title, organization, buyerEmail, state, cents, createdAt, stripeUrl } = order;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <li className={styles.result}>
      <h4>
        {formatCents(cents)}, <a href={`/payment/${eventId}`}>{title}</a>
      </h4>
      <p className={styles.about}>
        {buyerEmail && `${buyerEmail}, `}
        {organization && `${organization}, `}
        {formatShort(createdAt, timeZone)}
      </p>
      <p className={styles.about}>
        <Chip>{orderStateTexts[state]}</Chip> {text.order} {orderId}
      </p>
      {stripeUrl && (
        <div className={styles.actions}>
          <a href={stripeUrl}>{text.openInStripe}</a>
        </div>
      )}
    </li>
  );
}
