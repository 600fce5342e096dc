/** What a link opens: an order, or one transferred ticket. Undefined once the link is dead. */
import { findOrderOfPage } from '#server/orders/core/orders.sql.ts';
import { findHeldTicket } from '#server/orders/core/transfers.sql.ts';
import { orderOfToken, ticketOfToken } from '#server/orders/order-link.ts';
import type { Deps } from '#server/platform/deps.ts';

type LinkDeps = Pick<Deps, 'db' | 'appSecret'>;
export type FoundOrder = NonNullable<Awaited<ReturnType<typeof findOrderOfPage>>>;
export type HeldTicket = NonNullable<Awaited<ReturnType<typeof findHeldTicket>>>;

export async function orderOfLink(deps: LinkDeps, token: string): Promise<FoundOrder | undefined> {
  const ref = orderOfToken(deps, token);
  const order = ref && (await findOrderOfPage(deps.db, ref));
  return order && order.linkVersion === ref.linkVersion ? order : undefined;
}

export async function ticketOfLink(
  deps: LinkDeps,
  token: string,
): Promise<{ order: FoundOrder; ticket: HeldTicket } | undefined> {
  const ref = ticketOfToken(deps, token);
  const ticket = ref && (await findHeldTicket(deps.db, ref));
  if (!ticket || ticket.transferredCount !== ref.transferredCount) return undefined;
  const order = await findOrderOfPage(deps.db, { eventId: ref.eventId, orderId: ticket.orderId });
  return order && { order, ticket };
}

/** With the ticket, only that one is shown. */
export async function pageOfLink(
  deps: LinkDeps,
  token: string,
): Promise<{ order: FoundOrder; ticket: HeldTicket | null } | undefined> {
  const order = await orderOfLink(deps, token);
  return order ? { order, ticket: null } : ticketOfLink(deps, token);
}

/** The buyer has those that weren't transferred, a holder their own. */
export const isShownWith =
  (ticket: HeldTicket | null) =>
  ({ id, transferredCount }: { id: string; transferredCount: number }): boolean =>
    ticket ? id === ticket.id : transferredCount === 0;
