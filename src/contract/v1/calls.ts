/** Every call of the public API, in the order of its reference. */
import { listEvents, listTicketTypes, readEvent } from './events.ts';
import { listOrders, readOrder } from './orders.ts';
import { readOrganization } from './organization.ts';
import { checkInTicket, listTickets, readTicket } from './tickets.ts';
import type { V1Call } from './v1-call.ts';

export const v1Calls: readonly V1Call[] = [
  readOrganization,
  listEvents,
  readEvent,
  listTicketTypes,
  listOrders,
  readOrder,
  listTickets,
  readTicket,
  checkInTicket,
];
