/** The orders of an event, and the filters in the screen's address. */
import { useMemo } from 'react';
import {
  type ListedOrder,
  type OrderFilters,
  type OrderTable,
  orderPageEnds,
  orderRows,
  orderTable,
} from '#contract/app/sales/orders.ts';
import { listedOrderStates } from '#domain/sales/order-list.ts';
import { ordersPage } from '#messages/sales/orders.ts';
import { call } from '#web/api.ts';
import { useListAddress } from '#web/shell/workspace/list/use-list-address.ts';
import { type ListSource, usePagedList } from '#web/shell/workspace/list/use-paged-list.ts';

const NAMES = ['q', 'state'] as const;

/** What an address can't filter by is ignored: it may have been typed. */
function filtersIn(query: URLSearchParams): OrderFilters {
  const q = query.get('q');
  const state = listedOrderStates.find((one) => one === query.get('state'));
  return { ...(q && { q }), ...(state && { state }) };
}

export function useOrderAddress() {
  const { filterText, ...address } = useListAddress(NAMES, 'order');
  const filters = useMemo(() => filtersIn(new URLSearchParams(filterText)), [filterText]);
  return { ...address, filters };
}

const orders: ListSource<OrderFilters, OrderTable, ListedOrder> = {
  readTable: (eventId, filters, signal) => call(orderTable, { eventId, ...filters }, { signal }),
  readPage: async (eventId, filters, bounds, signal) =>
    (await call(orderRows, { eventId, ...filters, ...bounds }, signal ? { signal } : {})).orders,
  readEnds: (eventId, filters, after) => call(orderPageEnds, { eventId, ...filters, after }),
  idOf: ({ orderId }) => orderId,
  count: countOf,
  notLoaded: ordersPage.notLoaded,
};

export const useOrders = (eventId: string, filters: OrderFilters) => usePagedList(orders, eventId, filters);

/** How many orders these filters would list. */
export function countOf({ counts }: OrderTable, { state }: OrderFilters): number {
  return counts
    .filter((one) => state === undefined || one.state === state)
    .reduce((sum, { orders: listed }) => sum + listed, 0);
}
