import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/orders.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readOrderPageEnds, readOrderRows, readOrderTable } from './order-table.ts';
import { readOrder } from './read-order.ts';

export function orderListRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.orderRows, async (query, { organizer }) => readOrderRows(deps, organizer, query));

  mount(app, contract.orderPageEnds, async (query, { organizer }) => readOrderPageEnds(deps, organizer, query));

  mount(app, contract.orderTable, async (query, { organizer }) => readOrderTable(deps, organizer, query));

  mount(app, contract.orderDetails, async (query, { organizer }) => readOrder(deps, organizer, query));
}
