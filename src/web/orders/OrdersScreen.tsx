import { Suspense } from 'react';
import { useParams } from 'react-router';
import { listedOrderStates } from '#domain/sales/order-list.ts';
import { orderStateNames, ordersPage as text } from '#messages/sales/orders.ts';
import { lazyScreen } from '#web/shell/lazy-screen.tsx';
import { useLoadEarly } from '#web/shell/use-load-early.ts';
import { EventTab } from '#web/shell/workspace/EventTab.tsx';
import listStyles from '#web/shell/workspace/list/ListFilters.module.css';
import { SearchField, StateChips } from '#web/shell/workspace/list/ListFilters.tsx';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { OrderList } from './OrderList.tsx';
import styles from './orders.module.css';
import { countOf, useOrderAddress, useOrders } from './use-orders.ts';

const drawers = lazyScreen(() => import('./OrderDrawer.tsx'));

export function OrdersScreen() {
  const { eventId = '' } = useParams();
  return <OrdersOfEvent key={eventId} eventId={eventId} />;
}

function OrdersOfEvent({ eventId }: { eventId: string }) {
  const { filters, setFilters, openId, addressOf, close } = useOrderAddress();
  const list = useOrders(eventId, filters);
  useLoadEarly(drawers.load);
  const { table, total, failure, isUnknown, isLoading, isStale, reload } = list;
  const isFiltered = Object.keys(filters).length > 0;
  const hasNone = table !== null && table.counts.length === 0 && !isFiltered && !isStale;
  const addressOfOrder = (order: string) => addressOf({ order });

  return (
    <EventTab eventId={eventId} tab="orders">
      {failure && !isUnknown && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {isLoading && <Skeleton className={styles.loading} />}
      {hasNone && (
        <EmptyState title={text.none} actions={<ButtonLink to={`/payment/${eventId}`}>{text.view}</ButtonLink>}>
          <p>{text.share}</p>
        </EmptyState>
      )}
      {table && !hasNone && (
        <>
          <div className={listStyles.filters}>
            <SearchField label={text.search} hint={text.searchHint} q={filters.q ?? ''} onChange={setFilters} />
            <StateChips
              legend={text.states}
              chosen={filters.state}
              states={[undefined, ...listedOrderStates].flatMap((state) => {
                const listed = countOf(table, state ? { state } : {});
                if (state !== undefined && filters.state !== state && listed === 0) return [];
                return [{ state, label: text.chip(state ? orderStateNames[state] : text.all, listed) }];
              })}
              onChange={(state) => setFilters({ state })}
            />
          </div>
          <p role="status" className={listStyles.found}>
            {!isStale && (total === 0 ? text.noHit : text.found(total, inCheckout()))}
          </p>
          {total === 0 && isFiltered && (
            <Button
              kind="ghost"
              className={listStyles.clear}
              onClick={() => setFilters({ q: undefined, state: undefined })}
            >
              {text.clear}
            </Button>
          )}
          {total > 0 && (
            <OrderList
              caption={text.caption(table.title)}
              list={list}
              timezone={table.timezone}
              openId={openId}
              addressOf={addressOfOrder}
            />
          )}
        </>
      )}
      {openId && table && (
        <Suspense>
          <drawers.Component
            key={openId}
            eventId={eventId}
            orderId={openId}
            may={table.may}
            onClose={close}
            onChanged={reload}
          />
        </Suspense>
      )}
    </EventTab>
  );

  function inCheckout(): number {
    return table && filters.state === undefined ? countOf(table, { state: 'checkout' }) : 0;
  }
}

export { OrdersScreen as Component };
