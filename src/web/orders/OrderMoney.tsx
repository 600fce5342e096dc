import { useId } from 'react';
import type { OrderDetails } from '#contract/app/sales/orders.ts';
import { formatDollars } from '#messages/format.ts';
import { orderDrawer as text } from '#messages/sales/orders.ts';
import drawer from '#web/shell/workspace/list/Drawer.module.css';
import { formatShort } from '#web/ui/data/format.ts';
import styles from './orders.module.css';

/** What was paid for an order, what went back, and what is left. */
export function OrderMoney({ order }: { order: OrderDetails }) {
  const [paymentId, refundsId] = [useId(), useId()];
  const { payment, refunds, tickets, timezone } = order;
  return (
    <>
      {payment && (
        <section className={drawer.section} aria-labelledby={paymentId}>
          <h3 id={paymentId}>{text.payment}</h3>
          <dl className={styles.sums}>
            <Sum label={text.charged} amount={payment.charged} />
            {payment.refunded > 0 && <Sum label={text.refunded} amount={-payment.refunded} />}
            {payment.fees > 0 && <Sum label={text.fees} amount={-payment.fees} />}
            {payment.refundCosts > 0 && <Sum label={text.refundCosts} amount={-payment.refundCosts} />}
            {payment.kept !== null && <Sum label={text.kept} amount={payment.kept} />}
          </dl>
        </section>
      )}
      {refunds.length > 0 && (
        <section className={drawer.section} aria-labelledby={refundsId}>
          <h3 id={refundsId}>{text.refunds}</h3>
          <ul className={styles.items}>
            {refunds.map(({ refundId, position, amount, reason, state, note, at }) => (
              <li key={refundId}>
                <span className={styles.item}>
                  {position === null
                    ? text.wholeOrder
                    : text.ticket(position, tickets.find((one) => one.position === position)?.ticketName ?? '')}
                  <span className={drawer.quiet}>
                    {text.reasons[reason]} · {text.refundStates[state]}
                  </span>
                  {note !== null && <span className={drawer.quiet}>{text.note(note)}</span>}
                  <time dateTime={at} className={drawer.quiet}>
                    {formatShort(at, timezone)}
                  </time>
                </span>
                {order.total !== null && <span className={styles.amount}>{formatDollars(amount)}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Sum({ label, amount }: { label: string; amount: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{amount < 0 ? `−${formatDollars(-amount)}` : formatDollars(amount)}</dd>
    </div>
  );
}
