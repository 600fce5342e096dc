/** What a browser's open checkouts allow: continuing them, releasing them, and a limited number. */
import type { openCheckouts as endpoint } from '#contract/app/checkout.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { OrderRef, PricedLine } from '#domain/order.ts';
import { needsDetails } from '#domain/sales/guest-form.ts';
import { checkoutPageUrl } from '#server/orders/checkout-page/checkout-page.ts';
import { type OpenCheckout, openCheckoutsAmong } from '#server/orders/core/open-checkouts.sql.ts';
import { type FoundPromoCode, withOwnUses } from '#server/orders/promo-codes/find-promo-code.ts';
import { AppError } from '#server/platform/app-error.ts';
import { clientNetwork } from '#server/platform/client-network.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { BrowserCheckouts } from './browser-checkouts.ts';
import { endCheckout } from './close-checkouts.ts';
import { type LeaveDeps, releaseUnpaid } from './leave-queue.ts';
import { signQueueToken } from './queue-token.ts';

export async function listOpenCheckouts(
  deps: Pick<Deps, 'db' | 'appSecret' | 'publicUrl'>,
  { refs }: BrowserCheckouts,
): Promise<ReplyOf<typeof endpoint>> {
  const open = await openCheckoutsAmong(deps.db, refs);
  return { checkouts: open.map(reply) };

  function reply({
    eventId,
    orderId,
    sessionId,
    sessionUrl,
    totalCents,
    formVersion,
    detailsAt,
    position,
    reservedUntil,
    ...shown
  }: OpenCheckout) {
    const eventPage = `${deps.publicUrl}/payment/${eventId}`;
    const unopened =
      totalCents === 0 || needsDetails({ formVersion, detailsAt })
        ? checkoutPageUrl(deps, { eventId, orderId })
        : `${eventPage}#queue=${signQueueToken(deps, { eventId, orderId, position: position ?? 0 })}`;
    return {
      handle: orderId,
      eventId,
      title: shown.title,
      timezone: shown.timezone,
      tickets: shown.tickets.map(({ promoCodeId: _, ...ticket }) => ticket),
      reservedUntil: reservedUntil.toISOString(),
      sessionId,
      url: sessionId === null ? unopened : (sessionUrl ?? eventPage),
    };
  }
}

/** The cookie is the authority: a handle is good only in the browser that reserved. */
export async function releaseOpenCheckout(
  deps: LeaveDeps,
  { refs }: BrowserCheckouts,
  { handle }: { handle: string },
): Promise<void> {
  const ref = refs.find(({ orderId }) => orderId === handle);
  if (!ref) throw new AppError('checkout.unknown');
  await releaseUnpaid(deps, ref);
}

/** Not on this machine. A cart that is open already is one of those counted. */
export async function denyTooManyOpen(
  { db }: Pick<Deps, 'db'>,
  { refs }: BrowserCheckouts,
  { eventId, cartId, max, ip }: { eventId: string; cartId?: string | undefined; max: number; ip: string },
): Promise<void> {
  if (clientNetwork(ip) === null) return;
  const open = await openCheckoutsAmong(db, refs);
  const isOpen = open.some((one) => one.eventId === eventId && one.cartId === cartId);
  if (open.length >= max && !isOpen) throw new AppError('checkout.too-many-open', { count: open.length });
}

/** Ends the browser's own checkouts that have uses of the promo code, if those are what its buyer lacks. */
export async function releaseOwnUses(
  deps: Parameters<typeof endCheckout>[0],
  refs: readonly OrderRef[],
  promo: FoundPromoCode,
  isEnough: (promo: FoundPromoCode) => boolean,
): Promise<boolean> {
  if (promo.usesLeft === null) return false;
  const open = (await openCheckoutsAmong(deps.db, refs)).filter(({ tickets }) =>
    tickets.some(({ promoCodeId }) => promoCodeId === promo.id),
  );
  const own = open.flatMap(({ tickets }) => tickets);
  if (own.length === 0 || !isEnough(withOwnUses(promo, own))) return false;
  for (const { eventId, orderId } of open) await endCheckout(deps, { eventId, orderId });
  return true;
}

/** Ends the browser's own checkouts of the event, if their tickets make up what `line` is short of. */
export async function releaseOwnTickets(
  deps: Parameters<typeof endCheckout>[0],
  refs: readonly OrderRef[],
  { line, left }: { line: PricedLine; left: number },
): Promise<boolean> {
  const ownOf = ({ tickets }: OpenCheckout) =>
    tickets.reduce((sum, { ticketId, quantity }) => sum + (ticketId === line.ticketTypeId ? quantity : 0), 0);
  const open = (await openCheckoutsAmong(deps.db, refs)).filter((checkout) => ownOf(checkout) > 0);
  // It is short only together with other lines of the cart, which share a capacity.
  if (left >= line.quantity) return false;
  if (open.reduce((sum, checkout) => sum + ownOf(checkout), left) < line.quantity) return false;
  for (const { eventId, orderId } of open) await endCheckout(deps, { eventId, orderId });
  return true;
}
