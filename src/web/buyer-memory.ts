/**
 * What this browser tab remembers of a buyer: the cart of each event, and the checkouts they became.
 * Private windows may refuse storage; then the cart lives as long as the page, and nothing else changes.
 */
import * as z from 'zod/mini';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';

const picks = z.array(
  z.object({ ticketName: z.string(), quantity: z.int().check(z.gte(1), z.lte(ORDER_TICKETS_MAX)) }),
);
const checkout = z.object({ eventId: z.string(), url: z.string() });

export type Pick = z.infer<typeof picks>[number];
type OpenCheckout = z.infer<typeof checkout>;

const cartKey = (eventId: string) => `cart:${eventId}`;
const checkoutKey = (sessionId: string) => `checkout:${sessionId}`;
const latestKey = (eventId: string) => `latest-checkout:${eventId}`;

export function storedCart(eventId: string): Pick[] {
  return read(cartKey(eventId), picks) ?? [];
}

export function storeCart(eventId: string, cart: readonly Pick[]) {
  write(cartKey(eventId), cart.length > 0 ? cart : null);
}

export function rememberCheckout(sessionId: string, opened: OpenCheckout) {
  write(checkoutKey(sessionId), opened);
  write(latestKey(opened.eventId), sessionId);
}

/** The session id of the checkout last opened for this event. */
export function latestCheckout(eventId: string): string | null {
  return read(latestKey(eventId), z.string());
}

export function openCheckout(sessionId: string): OpenCheckout | null {
  return read(checkoutKey(sessionId), checkout);
}

/** The cart has become tickets. Only once: a later cart for the same event is the buyer's next order. */
export function settleCheckout(sessionId: string) {
  const opened = openCheckout(sessionId);
  if (!opened) return;
  write(cartKey(opened.eventId), null);
  write(latestKey(opened.eventId), null);
  write(checkoutKey(sessionId), null);
}

function read<Schema extends z.ZodMiniType>(key: string, schema: Schema): z.infer<Schema> | null {
  try {
    const stored = schema.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
    return stored.success ? stored.data : null;
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
