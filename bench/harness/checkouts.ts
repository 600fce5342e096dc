/** Checkouts over HTTP, as browsers ask for them. */
import { createCheckoutSession } from '#contract/checkout.ts';
import { newId } from '#server/platform/ids.ts';
import type { Sample } from './benchmark.ts';
import { CONSTANT_CHECKOUT } from './constant-answers.ts';
import type { BenchEvent } from './events-on-sale.ts';
import { fromSomewhere, load, post } from './load.ts';
import { oneToFour } from './reserving.ts';
import type { Shop } from './shop.ts';

/**
 * What the product is started with: payment pages come at a crawl, so that what is measured is the hold. Buyers get their
 * place in line with it, as in a real rush.
 */
export const CRAWLING_PAGES = { PAGES_PER_SECOND: '1' };

/** Made beforehand: what the generator spends, the server lacks. So many addresses that no budget is used up. */
const REQUESTS = 20_000;

export interface Checkouts {
  /** Loads the product; adds to `granted` what it answered with 200. */
  reserve(connections: number, seconds: number): Promise<Sample>;
  /** The same requests for a constant answer. */
  constant(connections: number, seconds: number): Promise<Sample>;
  /** A sentence, if the database does not hold exactly the orders that were granted. */
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
  let asked = 0;

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
      const written = rows[0]?.count ?? 0;
      return written === granted ? [] : [`${granted} checkouts were granted, ${written} orders are written`];
    },
  };

  function run(requests: readonly Buffer[], connections: number, seconds: number): Promise<Sample> {
    const next = () => withCart(requests[asked % REQUESTS] ?? Buffer.alloc(0), asked++);
    return load({ origins: shop.origins, connections, seconds, next });
  }
}

const CART = Buffer.from('"cartId":"');
const LAST_DIGITS = { from: 24, count: 12 };

/** The same request of another buyer: carts hold tickets once. Written into its bytes, which were sent long ago. */
function withCart(request: Buffer, buyer: number): Buffer {
  const digits = request.indexOf(CART) + CART.length + LAST_DIGITS.from;
  request.write(String(buyer).padStart(LAST_DIGITS.count, '0'), digits, 'latin1');
  return request;
}
