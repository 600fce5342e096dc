/**
 * Links that only we can make: to the page of an order or of one ticket, and of a free order that waits for its buyer's proof. A link
 * holds a version, and is dead once the order's address was corrected or the ticket was transferred.
 */
import type { OrderRef } from '#domain/order.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type AppSecret, isSigned, sign } from '#server/platform/secrets.ts';

const ORDER_PURPOSE = 'order page';
const TICKET_PURPOSE = 'ticket page';

interface LinkedOrder extends OrderRef {
  linkVersion: number;
}

interface LinkedTicket {
  eventId: string;
  ticketId: string;
  transferredCount: number;
}

type LinkDeps = Pick<Deps, 'appSecret' | 'publicUrl'>;

/** The link is all that the page asks of a buyer. */
export const orderUrl = (deps: LinkDeps, order: LinkedOrder): string =>
  `${deps.publicUrl}/order/${orderToken(deps, order)}`;

/** The form that writes to the organizer: of an order, whose buyer is known, or of an event. */
export const contactUrl = (deps: LinkDeps, about: LinkedOrder | string): string =>
  `${deps.publicUrl}/contact/${typeof about === 'string' ? about : orderToken(deps, about)}`;

export const ticketUrl = (deps: LinkDeps, ticket: LinkedTicket): string =>
  `${deps.publicUrl}/ticket/${ticketToken(deps, ticket)}`;

export const orderToken = ({ appSecret }: Pick<Deps, 'appSecret'>, order: LinkedOrder): string =>
  signRow(appSecret, ORDER_PURPOSE, { eventId: order.eventId, id: order.orderId, version: order.linkVersion });

export const ticketToken = ({ appSecret }: Pick<Deps, 'appSecret'>, ticket: LinkedTicket): string =>
  signRow(appSecret, TICKET_PURPOSE, { ...ticket, id: ticket.ticketId, version: ticket.transferredCount });

/** As it was when the link was made. */
export function orderOfToken({ appSecret }: Pick<Deps, 'appSecret'>, token: string): LinkedOrder | null {
  const row = signedRow(appSecret, ORDER_PURPOSE, token);
  return row && { eventId: row.eventId, orderId: row.id, linkVersion: row.version };
}

export function ticketOfToken({ appSecret }: Pick<Deps, 'appSecret'>, token: string): LinkedTicket | null {
  const row = signedRow(appSecret, TICKET_PURPOSE, token);
  return row && { eventId: row.eventId, ticketId: row.id, transferredCount: row.version };
}

/** Without a version: of an order that has no address yet. */
export const signOrder = (appSecret: AppSecret, purpose: string, { eventId, orderId }: OrderRef): string =>
  signRow(appSecret, purpose, { eventId, id: orderId, version: 0 });

export function signedOrder(appSecret: AppSecret, purpose: string, text: string): OrderRef | null {
  const row = signedRow(appSecret, purpose, text);
  return row && { eventId: row.eventId, orderId: row.id };
}

interface SignedRow {
  eventId: string;
  id: string;
  version: number;
}

const SIGNED_ROW = /^([\w-]{16})\.([0-9a-f-]{36})(?:\.([1-9]\d{0,8}))?\.([\w-]{43})$/;

/** Version 0 is left out, as in links from before there were versions. */
const bodyOf = ({ eventId, id, version }: SignedRow) => [eventId, id, ...(version > 0 ? [version] : [])].join('.');

const signRow = (appSecret: AppSecret, purpose: string, row: SignedRow): string =>
  `${bodyOf(row)}.${sign(appSecret, purpose, bodyOf(row))}`;

function signedRow(appSecret: AppSecret, purpose: string, text: string): SignedRow | null {
  const [, eventId = '', id = '', version = '0', signature = ''] = SIGNED_ROW.exec(text) ?? [];
  const row = { eventId, id, version: Number(version) };
  return isSigned(appSecret, purpose, bodyOf(row), signature) ? row : null;
}
