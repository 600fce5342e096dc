import type { FastifyInstance } from 'fastify';
import * as pages from '#contract/v1/event-page.ts';
import * as events from '#contract/v1/events.ts';
import * as orders from '#contract/v1/orders.ts';
import { readOrganization as organizationCall } from '#contract/v1/organization.ts';
import { listPayouts as payoutsCall } from '#contract/v1/payouts.ts';
import { listRefunds as refundsCall } from '#contract/v1/refunds.ts';
import { salesReport } from '#contract/v1/reports.ts';
import { listTicketTypes as typesCall } from '#contract/v1/ticket-types.ts';
import * as tickets from '#contract/v1/tickets.ts';
import { readSalesReport } from '#server/backoffice/sales/read-sales.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { listEvents, listTicketTypes, readEvent, readOrganization } from './read-events.ts';
import { listPayouts, listRefunds } from './read-money.ts';
import { listOrders, listTickets, readOrder, readTicket } from './read-orders.ts';
import { listQuestions, listVersions } from './read-page.ts';

/** What programs read. */
export function apiRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, organizationCall, (_input, { key }) => readOrganization(deps, key));

  mount(app, events.listEvents, (page, { key }) => listEvents(deps, key, page));
  mount(app, events.readEvent, ({ event_id }, { key }) => readEvent(deps, key, event_id));
  mount(app, typesCall, ({ event_id }, { key }) => listTicketTypes(deps, key, event_id));

  mount(app, pages.listQuestions, ({ event_id }, { key }) => listQuestions(deps, key, event_id));
  mount(app, pages.listVersions, (page, { key }) => listVersions(deps, key, page));

  mount(app, orders.listOrders, (page, { key }) => listOrders(deps, key, page));
  mount(app, orders.readOrder, ({ order_id }, { key }) => readOrder(deps, key, order_id));

  mount(app, tickets.listTickets, (page, { key }) => listTickets(deps, key, page));
  mount(app, tickets.readTicket, ({ ticket_id }, { key }) => readTicket(deps, key, ticket_id));

  mount(app, refundsCall, (page, { key }) => listRefunds(deps, key, page));
  mount(app, payoutsCall, (page, { key }) => listPayouts(deps, key, page));
  mount(app, salesReport, (input, { key }) => readSalesReport(deps, key, input));
}
