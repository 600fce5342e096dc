/** Checkouts over HTTP, as browsers ask for them. */
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { newId } from '#server/platform/ids.ts';
import type { Sample } from './benchmark.ts';
import { CONSTANT_CHECKOUT } from './constant-answers.ts';
import type { BenchEvent } from './events-on-sale.ts';
import { fromSomewhere, load, post } from './load.ts';
import { oneToFour } from './reserving.ts';
import type { Shop } from './shop.ts';

/**
 * Dequeues payment pages at a crawl, so that the benchmark measures reservations. Buyers get a place in the checkout
 * queue with theirs, as in a real rush.
 */
export const SLOW_DEQUEUE = { PAGES_PER_SECOND: '1' };

/**
 * Built in advance: CPU spent by the load generator is missing on the server. From enough networks to stay below every
 * limit.
 */
const REQUESTS = 60_000;

export interface Checkouts {
  /** Sends checkouts to the app, and counts answers of 200 as granted. */
  reserve(connections: number, seconds: number): Promise<Sample>;
  /** Sends the same requests to the constant endpoint. */
  constant(connections: number, seconds: number): Promise<Sample>;
  /** Returns a message unless the database has exactly the granted orders. */
  wrongOrders(): Promise<string[]>;
}

export function checkoutsAt(shop: Shop, event: BenchEvent): Checkouts {
  const carts = Array.from({ length: REQUESTS }, () => ({
    eventId: event.eventId,
    cartId: newId(),
    cartItems: [{ ticketId: event.types[0]?.id, ticketName: 'Ticket 1', ticketPrice: 24, quantity: oneToFour() }],
  }));
  const requestsTo = (path: string) => carts.map((cart) => post(path, cart, fromSomewhere()));
  const [checkouts, constants] = [requestsTo(createCheckoutSession.path), requestsTo(CONSTANT_CHECKOUT)];
  let granted = 0;
  let sent = 0;

  return {
    async reserve(connections, seconds) {
      const sample = await run(checkouts, connections, seconds);
      granted += sample['status200'] ?? 0;
      return sample;
    },
    constant: (connections, seconds) => run(constants, connections, seconds),
    async wrongOrders() {
      const { rows } = await shop.ownerPool.query<{ count: number }>(
        'select count(*)::int as count from orders where event_id = $1',
        [event.eventId],
      );
      const inserted = rows[0]?.count ?? 0;
      return inserted === granted ? [] : [`${granted} checkouts were granted, ${inserted} orders exist`];
    },
  };

  function run(requests: readonly Buffer[], connections: number, seconds: number): Promise<Sample> {
    const next = () => withCart(requests[sent % REQUESTS] ?? Buffer.alloc(0), sent++);
    return load({ origins: shop.origins, connections, seconds, next });
  }
}

const CART = Buffer.from('"cartId":"');
const LAST_DIGITS = { from: 24, count: 12 };

/**
 * Turns the request into another buyer's: a cart reserves once. Overwrites its bytes in place; they were sent long ago.
 */
function withCart(request: Buffer, buyer: number): Buffer {
  const digits = request.indexOf(CART) + CART.length + LAST_DIGITS.from;
  request.write(String(buyer).padStart(LAST_DIGITS.count, '0'), digits, 'latin1');
  return request;
}
