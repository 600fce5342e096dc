/** Every call of the public API, in the order of its reference. */

import { createSharedCapacity, listSharedCapacities, updateSharedCapacity } from './capacities.ts';
import { listChanges } from './changes.ts';
import { createComps } from './comps.ts';
import { listQuestions, listVersions } from './event-page.ts';
import { createEvent, publishEvent, updateEvent } from './event-writes.ts';
import { listEvents, readEvent } from './events.ts';
import { listOrders, readOrder } from './orders.ts';
import { readOrganization } from './organization.ts';
import { listPayouts } from './payouts.ts';
import { createPromoCode, listPromoCodes, updatePromoCode } from './promo-codes.ts';
import { listRefunds } from './refunds.ts';
import { salesReport } from './reports.ts';
import { createTicketType, listTicketTypes, updateTicketType } from './ticket-types.ts';
import { checkInTicket, listTickets, readTicket } from './tickets.ts';
import type { V1Call } from './v1-call.ts';
import {
  createWebhookEndpoint,
  endWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from './webhook-endpoints.ts';

export const v1Calls: readonly V1Call[] = [
  readOrganization,
  listEvents,
  createEvent,
  readEvent,
  updateEvent,
  publishEvent,
  listTicketTypes,
  createTicketType,
  updateTicketType,
  listSharedCapacities,
  createSharedCapacity,
  updateSharedCapacity,
  listPromoCodes,
  createPromoCode,
  updatePromoCode,
  createComps,
  listQuestions,
  listVersions,
  listOrders,
  readOrder,
  listTickets,
  readTicket,
  checkInTicket,
  listRefunds,
  listPayouts,
  salesReport,
  listChanges,
  listWebhookEndpoints,
  createWebhookEndpoint,
  updateWebhookEndpoint,
  endWebhookEndpoint,
];
