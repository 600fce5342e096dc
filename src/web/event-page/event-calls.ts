/**
 * The calls of the event page, with the schemas of their answers. Fetched when the first of them is made:
 * the server has written the event into the page, so a visit begins without any.
 */
import { checkoutSession, createCheckoutSession, leaveQueuedCheckout, queuedCheckout } from '#contract/checkout.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { publicEvent } from '#contract/events.ts';
import { joinWaitingRoom, waitingRoom } from '#contract/waiting-room.ts';
import { call } from '#web/api.ts';

export const readEvent = (eventId: string) => call(publicEvent, { eventId });

export const readSale = (eventId: string, signal: AbortSignal) => call(waitingRoom, { eventId }, { signal });

export const takePlace = (eventId: string, signal: AbortSignal) => call(joinWaitingRoom, { eventId }, { signal });

export const startCheckout = (cart: InputOf<typeof createCheckoutSession>) => call(createCheckoutSession, cart);

export const readHeld = (handle: string) => call(queuedCheckout, { handle });

export const leaveHeld = (handle: string) => call(leaveQueuedCheckout, { handle });

export const readCheckout = (sessionId: string) => call(checkoutSession, { sessionId });
