import { createCheckoutSession } from '#contract/app/checkout.ts';
import { fulfillOrder } from '#server/payments/checkout/fulfill-order.ts';
import { newId } from '#server/platform/ids.ts';
import { paidSession } from '#tests/support/reserved-order.ts';
import { benchmark } from './harness/benchmark.ts';
import { type BenchEvent, ordersOf, putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { type Answer, fromSomewhere, load, post } from './harness/load.ts';
import { openShop, type Shop } from './harness/shop.ts';
import { openReceivers } from './harness/webhook-receivers.ts';

const TICKETS = 20_000;
const TICKETS_IN_SMOKE = 400;
/** Load per slice. */
const FULL = { connections: 256, seconds: 0.4 };
const SMOKE = { connections: 32, seconds: 0.1 };
const SLICES_AT_MOST = 300;
/** Number of slices in which tickets are released, sold again and paid. */
const FAULTY_SLICES = 4;
/** Longer than a reservation lasts without a payment page. */
const RESERVATION_SECONDS = 200;

export const bench = benchmark<'subject' | 'webhooks'>({
  name: 'sellout',
  what: `${FULL.connections} connections buy ${TICKETS} tickets from two processes, while reservations expire, payment pages fail and orders are paid; with and without webhooks.`,
  metrics: [
    {
      target: { atMost: 0 },
      baseline: 'wrong totals: oversold, lost, double',
      ratio: ({ subject, webhooks }) => (subject['wrong'] ?? Number.NaN) + (webhooks['wrong'] ?? Number.NaN),
      value: ({ subject }) => subject.perSecond,
      unit: 'orders/s',
    },
    {
      name: 'sellout/webhooks',
      target: { atLeast: 0.95 },
      baseline: 'without webhooks; with them, one receiver answers at once and one after 4 s',
      ratio: ({ subject, webhooks }) => webhooks.perSecond / subject.perSecond,
      value: ({ webhooks }) => webhooks.perSecond,
      unit: 'orders/s',
    },
  ],
  async open({ smoke }) {
    const settings = { PAGES_PER_SECOND: '100', WEBHOOKS_TO_LOOPBACK: '1' };
    const shop = await openShop({ processes: 2, settings });
    /** The warm-up is a full sell-out: its wrong totals count too. */
    const wrong: string[] = [];
    const run = async ({ hasWebhooks }: { hasWebhooks: boolean }) => {
      const [event] = await putOnSale(shop.ownerPool, { quantity: smoke ? TICKETS_IN_SMOKE : TICKETS });
      if (!event) throw new Error('there is no event');
      const receivers = hasWebhooks ? await openReceivers(shop, event.organizer) : null;
      const sold = await sellOut(shop, event, smoke ? SMOKE : FULL);
      const messages = await wrongTotals(shop, event, sold.granted);
      if (receivers) {
        const missing = await receivers.untilCalled((await ordersOf(shop.ownerPool, event.eventId))['paid'] ?? 0);
        if (missing !== null) messages.push(missing);
        await receivers.close();
      }
      wrong.push(...messages);
      return { perSecond: sold.granted.length / sold.seconds, wrong: messages.length };
    };
    return {
      contestants: {
        subject: () => run({ hasWebhooks: false }),
        webhooks: () => run({ hasWebhooks: true }),
      },
      check: async () => wrong.splice(0),
      close: () => shop.close(),
    };
  },
});

interface Sold {
  /** Payment pages, or handles of queued orders, that buyers were given. */
  granted: string[];
  seconds: number;
}

async function sellOut(shop: Shop, event: BenchEvent, asked: typeof FULL): Promise<Sold> {
  const granted: string[] = [];
  let seconds = 0;
  for (let slice = 1; slice <= SLICES_AT_MOST; slice++) {
    const isLast = slice > FAULTY_SLICES && (await leftOf(shop, event)) === 0;
    if (slice <= FAULTY_SLICES) await startFaults(shop);
    else if (slice === FAULTY_SLICES + 1) await endFaults(shop);
    const payments = slice <= FAULTY_SLICES ? payForSome(shop, event) : Promise.resolve();
    const { status200 = 0 } = await load({
      ...asked,
      origins: shop.origins,
      next: () => requestFor(event),
      onAnswer: (answer) => recordGranted(granted, answer),
    });
    await payments;
    seconds += asked.seconds;
    // Tickets of reservations that ended meanwhile are for sale again.
    if (isLast && status200 === 0 && (await leftOf(shop, event)) === 0) return { granted, seconds };
  }
  throw new Error(`the tickets did not sell out in ${seconds} s`);
}

/** Mostly valid carts, with a few invalid ones, which must not affect the rest of their batch. */
function requestFor({ eventId, types }: BenchEvent): Buffer {
  const dice = Math.random();
  const odd = dice < 0.01 ? { quantity: 101 } : { ticketPrice: 1 };
  const item = { ticketId: types[0]?.id, ticketName: 'Ticket 1', quantity: 1 + Math.floor(Math.random() * 4) };
  return post(
    createCheckoutSession.path,
    { eventId, cartId: newId(), cartItems: [dice < 0.02 ? { ...item, ...odd } : item] },
    fromSomewhere(),
  );
}

function recordGranted(granted: string[], { status, body }: Answer): void {
  if (status !== 200) return;
  const { id } = JSON.parse(body.toString()) as { id: string };
  granted.push(id);
}

/** Advances the clock so that reservations expire, and makes Stripe fail for a while. */
async function startFaults({ sandboxPort }: Shop): Promise<void> {
  const match = { method: 'POST', path: '/v1/checkout/sessions' };
  await control(sandboxPort, 'clock', { advance_seconds: RESERVATION_SECONDS });
  await control(sandboxPort, 'faults', { match, mode: 'drop_after', times: 3 });
  await control(sandboxPort, 'faults', { match, mode: 'error_after', times: 3 });
}

async function endFaults({ sandboxPort }: Shop): Promise<void> {
  await fetch(`http://127.0.0.1:${sandboxPort}/_sandbox/faults`, { method: 'DELETE' });
}

async function control(port: number, path: string, body: object): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

/** As Stripe's webhooks would, including orders that expire at this moment. */
async function payForSome(shop: Shop, { eventId }: BenchEvent): Promise<void> {
  const { rows } = await shop.ownerPool.query<{ orderId: string; sessionId: string; totalCents: number }>(
    `select id as "orderId", session_id as "sessionId", total_cents as "totalCents" from orders
      where event_id = $1 and state in ('reserved', 'expired') and session_id is not null limit 40`,
    [eventId],
  );
  await Promise.all(
    rows.map(async ({ orderId, sessionId, totalCents }) => {
      const order = { eventId, orderId, sessionId, totalCents };
      await fulfillOrder(shop.deps, order, paidSession(order));
    }),
  );
}

async function leftOf({ ownerPool }: Shop, { eventId }: BenchEvent): Promise<number> {
  const { rows } = await ownerPool.query<{ left: number }>(
    'select sum(quantity - reserved)::int as left from ticket_types where event_id = $1',
    [eventId],
  );
  return rows[0]?.left ?? 0;
}

const TICKETS_OF = `
  select (select count(*)::int from tickets t where t.event_id = $1 and t.state = 'valid') as issued,
         (select coalesce(sum(l.quantity), 0)::int from order_lines l join orders o on o.event_id = l.event_id and o.id = l.order_id
           where o.event_id = $1 and o.state = 'paid') as paid,
         (select count(distinct (t.confirmation_number))::int from tickets t where t.event_id = $1 and t.state = 'valid') as numbers`;

/** Returns one message per wrong total once everything is sold. */
async function wrongTotals(shop: Shop, event: BenchEvent, granted: readonly string[]): Promise<string[]> {
  const wrong = await wrongStock(shop.ownerPool);
  const { rows } = await shop.ownerPool.query<{ issued: number; paid: number; numbers: number }>(TICKETS_OF, [
    event.eventId,
  ]);
  const [{ issued, paid, numbers } = { issued: 0, paid: 0, numbers: 0 }] = rows;
  if (issued !== paid || numbers !== issued)
    wrong.push(`${paid} tickets were paid, ${issued} issued, with ${numbers} numbers`);

  const orders = await shop.ownerPool.query<{ id: string; sessionId: string | null }>(
    'select id, session_id as "sessionId" from orders where event_id = $1',
    [event.eventId],
  );
  const known = new Set(orders.rows.flatMap(({ id, sessionId }) => [id, sessionId ?? id]));
  const orderIds = granted.map((id) => (id.startsWith('cs_') ? id : (id.split('.')[1] ?? id)));
  const unknown = orderIds.filter((id) => !known.has(id)).length;
  if (unknown > 0) wrong.push(`${unknown} buyers were given an order that does not exist`);
  const twice = orderIds.length - new Set(orderIds).size;
  if (twice > 0) wrong.push(`${twice} buyers were given the order of another`);
  return wrong;
}
