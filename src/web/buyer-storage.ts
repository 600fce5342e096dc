/**
 * What this browser tab remembers of a buyer: the cart of each event, and the checkouts they became.
 * Private windows may refuse storage; then the cart lives as long as the page, and nothing else changes.
 */
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { newUuid } from './new-uuid.ts';

export interface Pick {
  ticketName: string;
  quantity: number;
}

interface OpenCheckout {
  eventId: string;
  url: string;
}

const cartKey = (eventId: string) => `cart:${eventId}`;
const cartIdKey = (eventId: string) => `cart-id:${eventId}`;
const checkoutKey = (sessionId: string) => `checkout:${sessionId}`;
const heldKey = (eventId: string) => `held:${eventId}`;
const latestKey = (eventId: string) => `latest-checkout:${eventId}`;

export function storedCart(eventId: string): Pick[] {
  return read(cartKey(eventId), isCart) ?? [];
}

export function storeCart(eventId: string, cart: readonly Pick[]) {
  write(cartKey(eventId), cart.length > 0 ? cart : null);
}

/** What the server knows this cart by, so that pressing the button again never holds its tickets twice. */
export function cartIdOf(eventId: string): string {
  const known = read(cartIdKey(eventId), isText);
  if (known !== null) return known;
  const made = newUuid();
  write(cartIdKey(eventId), made);
  return made;
}

export function rememberCheckout(sessionId: string, opened: OpenCheckout) {
  write(checkoutKey(sessionId), opened);
  write(latestKey(opened.eventId), sessionId);
}

/** Tickets that are held while their payment page is still to come; `null` when that is over. */
export function rememberHeld(eventId: string, handle: string | null) {
  write(heldKey(eventId), handle);
}

export function heldHandle(eventId: string): string | null {
  return read(heldKey(eventId), isText);
}

/** The session id of the checkout last opened for this event. */
export function latestCheckout(eventId: string): string | null {
  return read(latestKey(eventId), isText);
}

export function openCheckout(sessionId: string): OpenCheckout | null {
  return read(checkoutKey(sessionId), isCheckout);
}

/** The cart has become tickets. Only once: a later cart for the same event is the buyer's next order. */
export function settleCheckout(sessionId: string) {
  const opened = openCheckout(sessionId);
  if (!opened) return;
  write(cartKey(opened.eventId), null);
  write(latestKey(opened.eventId), null);
  write(checkoutKey(sessionId), null);
}

// By hand, not by schema: these are the only shapes that the event page would carry a schema library for.
const isText = (value: unknown): value is string => typeof value === 'string';

const isCart = (value: unknown): value is Pick[] => Array.isArray(value) && value.every(isPick);

function isPick(value: unknown): value is Pick {
  if (!isRecord(value)) return false;
  const { ticketName, quantity } = value;
  if (!isText(ticketName) || typeof quantity !== 'number' || !Number.isInteger(quantity)) return false;
  return quantity >= 1 && quantity <= ORDER_TICKETS_MAX;
}

function isCheckout(value: unknown): value is OpenCheckout {
  return isRecord(value) && isText(value['eventId']) && isText(value['url']);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function read<Value>(key: string, isValue: (stored: unknown) => stored is Value): Value | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isValue(stored) ? stored : null;
  } catch {
    return null;
  }
}

function write(key: string, value: unknown) {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // See above: refused storage costs the buyer nothing but the memory.
  }
}
