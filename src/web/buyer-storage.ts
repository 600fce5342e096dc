/**
 * Per-tab storage of a buyer's carts and the checkouts created from them. Without storage (some private windows), the
 * cart lasts as long as the page.
 */
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { newUuid } from './new-uuid.ts';

export interface StoredCartItem {
  ticketName: string;
  quantity: number;
  /** What the buyer pays for each ticket, if they name it. */
  namedCents?: number;
}

interface OpenCheckout {
  eventId: string;
  url: string;
}

const cartKey = (eventId: string) => `cart:${eventId}`;
const cartIdKey = (eventId: string) => `cart-id:${eventId}`;
const checkoutKey = (sessionId: string) => `checkout:${sessionId}`;
const reservationKey = (eventId: string) => `reservation:${eventId}`;
const promoKey = (eventId: string) => `promo:${eventId}`;
const OPEN_CHECKOUTS = 'open-checkouts';

export function storedCart(eventId: string): StoredCartItem[] {
  return read(cartKey(eventId), isCart) ?? [];
}

export function storeCart(eventId: string, cart: readonly StoredCartItem[]) {
  write(cartKey(eventId), cart.length > 0 ? cart : null);
}

/** The promo code that the cart is priced with. */
export const storedPromoCode = (eventId: string): string | null => read(promoKey(eventId), isText);

export const storePromoCode = (eventId: string, code: string | null): void => write(promoKey(eventId), code);

/** Identifies this cart to the server, so a repeated click never reserves its tickets twice. */
export function cartIdOf(eventId: string): string {
  const known = read(cartIdKey(eventId), isText);
  if (known !== null) return known;
  const made = newUuid();
  write(cartIdKey(eventId), made);
  return made;
}

export function storeCheckout(sessionId: string, opened: OpenCheckout) {
  write(checkoutKey(sessionId), opened);
  noteOpenCheckouts(true);
}

/** Reservation that still waits for its payment page; `null` when it is over. */
export function storeReservation(eventId: string, handle: string | null) {
  write(reservationKey(eventId), handle);
  if (handle !== null) noteOpenCheckouts(true);
}

export function storedReservation(eventId: string): string | null {
  return read(reservationKey(eventId), isText);
}

/** Whether this browser, in any tab, may have open checkouts: most visitors have none, and the page doesn't ask. */
export function mayHaveOpenCheckouts(): boolean {
  try {
    return localStorage.getItem(OPEN_CHECKOUTS) !== null;
  } catch {
    return false;
  }
}

export function noteOpenCheckouts(hasSome: boolean) {
  try {
    if (hasSome) localStorage.setItem(OPEN_CHECKOUTS, '1');
    else localStorage.removeItem(OPEN_CHECKOUTS);
  } catch {
    // Without storage, nothing is remembered.
  }
}

export function openCheckout(sessionId: string): OpenCheckout | null {
  return read(checkoutKey(sessionId), isCheckout);
}

/** Clears the cart once it is paid. Only once: a later cart for the same event is a new order. */
export function settleCheckout(sessionId: string) {
  const opened = openCheckout(sessionId);
  if (!opened) return;
  write(cartKey(opened.eventId), null);
  write(promoKey(opened.eventId), null);
  forgetCheckout(sessionId);
}

export const forgetCheckout = (sessionId: string): void => write(checkoutKey(sessionId), null);

// Checked by hand to keep the schema library out of the event page's bundle.
const isText = (value: unknown): value is string => typeof value === 'string';

const isCart = (value: unknown): value is StoredCartItem[] => Array.isArray(value) && value.every(isStoredCartItem);

function isStoredCartItem(value: unknown): value is StoredCartItem {
  if (!isRecord(value)) return false;
  const { ticketName, quantity, namedCents = 0 } = value;
  return (
    isText(ticketName) && isCount(namedCents) && isCount(quantity) && quantity >= 1 && quantity <= ORDER_TICKETS_MAX
  );
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value);

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
    // Without storage, nothing is remembered.
  }
}
