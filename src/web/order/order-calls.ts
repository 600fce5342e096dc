/** Calls of an order's page, and the tickets it saves: loaded after the page shows. */
import {
  type Confirmation,
  checkoutSession,
  type OrderAddress,
  readOrder,
  resendOrder,
} from '#contract/app/checkout.ts';
import { readTicket, refundTicket } from '#contract/app/sales/ticket-transfers.ts';
import { CallError, call } from '#web/api.ts';
import { pathOf } from './order-address.ts';
import { readSavedTickets, removeSavedTickets, type SavedTickets } from './saved-tickets.ts';

export {
  readSavedTickets,
  removeExpiredTickets,
  removeSavedTickets,
  saveTickets,
  setTicketsSaved,
} from './saved-tickets.ts';

export type OrderState =
  | { kind: 'loading' }
  | { kind: 'answered'; confirmation: Confirmation }
  /** Still processing after a minute; the tickets will arrive by email. */
  | { kind: 'delayed' }
  /** Shows the saved copy while the server is slow or unreachable. */
  | { kind: 'saved'; tickets: SavedTickets }
  | { kind: 'failed'; msg: string | undefined };

export const resend = (token: string) => call(resendOrder, { token });

export const refund = (token: string, position: number) => call(refundTicket, { token, position });

function fetchOrder(address: OrderAddress): Promise<Confirmation> {
  if ('token' in address) return call(readOrder, address);
  return 'ticket' in address ? call(readTicket, { token: address.ticket }) : call(checkoutSession, address);
}

export async function orderAt(address: OrderAddress): Promise<OrderState> {
  try {
    return { kind: 'answered', confirmation: await fetchOrder(address) };
  } catch (error) {
    const { status, msg } = error instanceof CallError ? error : { status: 0, msg: undefined };
    const tickets = isUnreachable(status) ? await readSavedTickets(pathOf(address)) : null;
    if (tickets) return { kind: 'saved', tickets };
    if (status === NOT_FOUND) await removeSavedTickets([pathOf(address)]);
    return { kind: 'failed', msg };
  }
}

const NOT_FOUND = 404;

/** No answer, a garbled one, or a busy server: none of these says anything about the tickets. */
const isUnreachable = (status: number) => status < 400 || status === 429 || status >= 500;
