/** The calls of the event page with their schemas, loaded with the first call: the page comes with the event's data embedded. */
import {
  checkoutSession,
  createCheckoutSession,
  leaveQueuedCheckout,
  openCheckouts,
  queuedCheckout,
  releaseCheckout,
} from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { applyPromoCode } from '#contract/app/sales/promo-codes.ts';
import { joinWaitingRoom, waitingRoom } from '#contract/app/waiting-room.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { call } from '#web/api.ts';

export const readEvent = (eventId: string) => call(publicEvent, { eventId });

export const readSale = (eventId: string, signal: AbortSignal) => call(waitingRoom, { eventId }, { signal });

export const takePosition = (eventId: string, signal: AbortSignal) => call(joinWaitingRoom, { eventId }, { signal });

export const startCheckout = (cart: InputOf<typeof createCheckoutSession>) =>
  call(createCheckoutSession, { ...cart, from: linkOf(cart.eventId) });

/** What `?from=` said, which the tab remembers: the payment page leads back without it. */
function linkOf(eventId: string): string | undefined {
  const key = `from:${eventId}`;
  const named = new URLSearchParams(window.location.search).get('from')?.toLowerCase();
  try {
    if (named) sessionStorage.setItem(key, named);
    return named ?? sessionStorage.getItem(key) ?? undefined;
  } catch {
    return named;
  }
}

export const applyCode = (eventId: string, code: string) => call(applyPromoCode, { eventId, code });

export const readReservation = (handle: string) => call(queuedCheckout, { handle });

export const releaseReservation = (handle: string) => call(leaveQueuedCheckout, { handle });

export const readCheckout = (sessionId: string) => call(checkoutSession, { sessionId });

export const readOpenCheckouts = () => call(openCheckouts, {});

export const releaseOpenCheckout = (handle: string) => call(releaseCheckout, { handle });
