import { type ReactNode, useCallback, useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import { type OrderDetails, type OrderTable, orderDetails } from '#contract/app/sales/orders.ts';
import { orderNumber } from '#domain/sales/order-list.ts';
import { formatDollars } from '#messages/format.ts';
import { transferredMark } from '#messages/guests.ts';
import { ordersPage, orderDrawer as text } from '#messages/sales/orders.ts';
import { call } from '#web/api.ts';
import drawer from '#web/shell/workspace/list/Drawer.module.css';
import { Drawer } from '#web/shell/workspace/list/Drawer.tsx';
import { Happenings } from '#web/shell/workspace/list/Happenings.tsx';
import { TicketChip } from '#web/shell/workspace/list/TicketChip.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { OrderActions } from './OrderActions.tsx';
import { OrderChip } from './OrderChip.tsx';
import { buyerOf } from './OrderList.tsx';
import { OrderMoney } from './OrderMoney.tsx';
import styles from './orders.module.css';

interface OrderDrawerProps {
  eventId: string;
  orderId: string;
  may: OrderTable['may'];
  onClose: () => void;
  /** The order was changed. */
  onChanged: () => Promise<void>;
}

/** One order, over the list. */
function OrderDrawer({ eventId, orderId, may, onClose, onChanged }: OrderDrawerProps) {
  const { order, failure, reload } = useOrder(eventId, orderId);

  async function changed() {
    await Promise.all([reload(), onChanged()]);
  }

  return (
    <Drawer title={text.title(orderNumber(orderId))} close={text.close} onClose={onClose}>
      {!order && !failure && <Skeleton className={drawer.loading} />}
      {failure && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {order && (
        <>
          <p className={drawer.chips}>
            <OrderChip order={order} timezone={order.timezone} />
          </p>
          <Facts eventId={eventId} order={order} />
          <OrderActions eventId={eventId} order={order} may={may} onChanged={changed} />
          <Section title={text.items}>
            <Items order={order} />
          </Section>
          {order.tickets.length > 0 && (
            <Section title={text.tickets}>
              <Tickets eventId={eventId} order={order} />
            </Section>
          )}
          <OrderMoney order={order} />
          <Happenings timeline={order.timeline} timezone={order.timezone} />
          {order.emails.length > 0 && (
            <Section title={text.emails}>
              <Emails order={order} />
            </Section>
          )}
        </>
      )}
    </Drawer>
  );
}

function useOrder(eventId: string, orderId: string) {
  const [order, setOrder] = useState<OrderDetails | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    setFailure(null);
    try {
      setOrder(await call(orderDetails, { eventId, orderId }));
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, [eventId, orderId]);
  useEffect(() => void reload(), [reload]);
  return { order, failure, reload };
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const headingId = useId();
  return (
    <section className={drawer.section} aria-labelledby={headingId}>
      <h3 id={headingId}>{title}</h3>
      {children}
    </section>
  );
}

function Facts({ eventId, order }: { eventId: string; order: OrderDetails }) {
  const { email, at, timezone, reservedUntil, answers, page } = order;
  return (
    <dl className={drawer.facts}>
      <div>
        <dt>{ordersPage.buyer}</dt>
        <dd className={drawer.email}>{buyerOf(order)}</dd>
      </div>
      <div>
        <dt>{text.email}</dt>
        <dd className={drawer.email}>{email || text.noEmail}</dd>
      </div>
      <div>
        <dt>{reservedUntil === null ? ordersPage.time : text.reserved}</dt>
        <dd>{formatShort(reservedUntil ?? at, timezone)}</dd>
      </div>
      {page && (
        <div>
          <dt>{text.page}</dt>
          <dd>
            {text.pageVersion(page.version, formatShort(page.since, timezone))}{' '}
            {page.hasChanged && <a href={`/payment/${eventId}/changes`}>{text.pageChanged}</a>}
          </dd>
        </div>
      )}
      {answers.map(({ label, answer }) => (
        <div key={`${label} ${answer}`}>
          <dt>{label}</dt>
          <dd className={drawer.answer}>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

function Items({ order: { lines, total } }: { order: OrderDetails }) {
  return (
    <ul className={styles.items}>
      {lines.map(({ ticketName, quantity, unitPrice, discount, promoCode }) => (
        <li key={`${ticketName} ${unitPrice} ${promoCode}`}>
          <span className={styles.item}>
            {text.line(quantity, ticketName)}
            {promoCode !== null && (
              <span className={drawer.quiet}>
                {[text.code(promoCode), ...(discount > 0 ? [text.discount(formatDollars(discount))] : [])].join(', ')}
              </span>
            )}
          </span>
          {total !== null && (
            <span className={styles.amount}>
              {unitPrice > 0 ? formatDollars(unitPrice * quantity) : ordersPage.free}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Tickets({ eventId, order }: { eventId: string; order: OrderDetails }) {
  return (
    <ul className={drawer.order}>
      {order.tickets.map((ticket) => (
        <li key={ticket.ticketId}>
          <span className={drawer.inOrder}>
            <Link to={`/events/${eventId}/guests?guest=${ticket.ticketId}`}>
              {text.ticket(ticket.position, ticket.ticketName)}
            </Link>
            {ticket.name !== null && <span className={drawer.quiet}>{ticket.name}</span>}
            <span className={drawer.quiet}>{grouped(ticket.confirmationNumber)}</span>
            {ticket.answers.map(({ label, answer }) => (
              <span key={label} className={drawer.quiet}>
                {label}: {answer}
              </span>
            ))}
          </span>
          <span className={drawer.chips}>
            {ticket.isTransferred && <Chip>{transferredMark}</Chip>}
            <TicketChip ticket={ticket} timezone={order.timezone} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const grouped = (number: string) => number.replace(/(\d{3})(\d{3})(\d{4})/, '$1 $2 $3');

function Emails({ order: { emails, timezone } }: { order: OrderDetails }) {
  return (
    <ul className={styles.items}>
      {emails.map(({ kind, at }) => (
        <li key={`${kind} ${at}`}>
          <span>{text.emailKinds[kind]}</span>
          <time dateTime={at} className={drawer.quiet}>
            {formatShort(at, timezone)}
          </time>
        </li>
      ))}
    </ul>
  );
}

export { OrderDrawer as Component };
