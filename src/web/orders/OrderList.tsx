import { Link, type To } from 'react-router';
import type { ListedOrder } from '#contract/app/sales/orders.ts';
import { orderNumber } from '#domain/sales/order-list.ts';
import { formatDollars } from '#messages/format.ts';
import { ordersPage as text } from '#messages/sales/orders.ts';
import type { PagedRows } from '#web/shell/workspace/list/use-paged-list.ts';
import { type Opener, WindowTable } from '#web/shell/workspace/list/WindowTable.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { OrderChip } from './OrderChip.tsx';
import styles from './orders.module.css';

interface OrderListProps {
  caption: string;
  list: PagedRows<ListedOrder>;
  timezone: string;
  /** The order whose drawer is open. */
  openId: string | null;
  addressOf: (orderId: string) => To;
}

export function OrderList({ caption, list, timezone, openId, addressOf }: OrderListProps) {
  return (
    <WindowTable
      caption={caption}
      columns={[text.buyer, text.order, text.tickets, text.total, text.time, text.state]}
      list={list}
      rowClass={styles.row}
      isOpen={({ orderId }) => orderId === openId}
    >
      {(order, opener) => (
        <OrderCells order={order} timezone={timezone} address={addressOf(order.orderId)} opener={opener} />
      )}
    </WindowTable>
  );
}

interface OrderCellsProps {
  order: ListedOrder;
  timezone: string;
  address: To;
  opener: Opener;
}

function OrderCells({ order, timezone, address, opener }: OrderCellsProps) {
  const { orderId, email, name, tickets, total, at } = order;
  return (
    <>
      <span role="cell" className={styles.who}>
        <Link to={address} state={{ keepsScroll: true, isOverList: true }} {...opener}>
          {buyerOf(order)}
        </Link>
        {name !== null && email !== '' && <span className={styles.email}>{email}</span>}
      </span>
      <span role="cell" className={styles.number}>
        {orderNumber(orderId)}
      </span>
      <span role="cell" className={styles.tickets}>
        {text.count(tickets)}
      </span>
      <span role="cell" className={styles.total}>
        {total !== null && (total > 0 ? formatDollars(total) : text.free)}
      </span>
      <span role="cell" className={styles.time}>
        {formatShort(at, timezone)}
      </span>
      <span role="cell" className={styles.state}>
        <OrderChip order={order} timezone={timezone} />
      </span>
    </>
  );
}

export const buyerOf = ({ name, email, state }: Pick<ListedOrder, 'name' | 'email' | 'state'>): string =>
  name ?? (email || (state === 'checkout' ? text.unknown : text.deleted));
