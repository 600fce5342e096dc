/**
 * The cart of a frame in the address of the page that checks it out, behind the `#`: neither servers nor other websites get to
 * see it, and it needs no storage, which browsers block in frames. It proves nothing, so it needs no signature: that page prices
 * it again.
 */
import type { CartLine } from '../cart/cart.ts';

export interface HandedCart {
  items: { ticketId: string; quantity: number; namedCents?: number }[];
  /** What the website showed. */
  totalCents: number;
  pageVersion: number;
  /** The buyer wants to enter a promo code first. */
  waits: boolean;
}

interface ShownCart extends Omit<HandedCart, 'items'> {
  lines: readonly Pick<CartLine, 'ticketId' | 'quantity' | 'namedCents'>[];
}

export function addressOfCart({ lines, totalCents, pageVersion, waits }: ShownCart): string {
  const cart = new URLSearchParams({
    total: String(totalCents),
    page: String(pageVersion),
    ...(waits && { wait: '' }),
  });
  for (const { ticketId, quantity, namedCents } of lines)
    cart.append('t', [ticketId, quantity, ...(namedCents === undefined ? [] : [namedCents])].join('.'));
  return `#${cart.toString()}`;
}

/** Null for any other address. */
export function cartOfAddress(hash: string): HandedCart | null {
  const address = new URLSearchParams(hash.slice(1));
  const totalCents = numberIn(address.get('total'));
  const pageVersion = numberIn(address.get('page'));
  const items = address.getAll('t').map(itemIn);
  const isWhole = totalCents !== null && pageVersion !== null && items.length > 0;
  const read = items.filter((item) => item !== null);
  return isWhole && read.length === items.length
    ? { items: read, totalCents, pageVersion, waits: address.has('wait') }
    : null;
}

function itemIn(text: string): HandedCart['items'][number] | null {
  const [ticketId = '', ...numbers] = text.split('.');
  const [quantity, namedCents] = numbers.map(numberIn);
  if (ticketId === '' || !quantity || numbers.length > 2 || namedCents === null) return null;
  return { ticketId, quantity, ...(namedCents !== undefined && { namedCents }) };
}

const numberIn = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
