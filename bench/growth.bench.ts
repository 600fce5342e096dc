import { listGuests } from '#server/backoffice/guests/list-guests.ts';
import { listOrganizerEvents } from '#server/backoffice/profile/list-organizer-events.ts';
import { checkGuest } from '#server/checkin/check-guest.ts';
import { readEventPage } from '#server/events/page/read-event-page.ts';
import { rollUpTotals } from '#server/events/totals/roll-up-totals.ts';
import { orderOfTicket } from '#server/payments/refunds/refund-locks.sql.ts';
import type { Actor, Attendant } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { closedLoop } from './harness/closed-loop.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { openShop, type Shop } from './harness/shop.ts';
import { wrongTicketTotals } from './harness/ticket-totals.ts';

/** A database of a given size, and the largest of its events, which all queries read. */
interface Fixture {
  shop: Shop;
  eventId: string;
  organizer: Actor;
  guests: number;
  /** Ticket ids, anywhere in the list but on its last page. */
  cursors: string[];
}

const QUERIES = ['event-page', 'code-look-up', 'guest-page', 'profile', 'check-in'] as const;
type Query = (typeof QUERIES)[number];
type Contestant = `${Query}/${'small' | 'large'}`;

const PAGE = 100;
const SCANS = 500;

const anyOf = <One>(list: readonly One[]) => list[Math.floor(Math.random() * list.length)];
const confirmationNumberOf = (index: number) => String(1_000_000_000 + index);

/** Resolves to whether the answer is right: an empty one would be fast. */
const RUN_QUERY: Record<Exclude<Query, 'check-in'>, (fixture: Fixture) => Promise<boolean>> = {
  async 'event-page'({ shop, eventId }) {
    const page = await readEventPage(shop.deps, eventId);
    return page?.publicEvent.eventId === eventId;
  },
  async 'code-look-up'({ shop, eventId, guests }) {
    const confirmationNumber = confirmationNumberOf(1 + Math.floor(Math.random() * guests));
    return (await orderOfTicket(shop.deps.db, eventId, confirmationNumber)) !== undefined;
  },
  async 'guest-page'({ shop, organizer, eventId, cursors }) {
    const page = await listGuests(shop.deps, organizer, { eventId, after: anyOf(cursors), limit: PAGE });
    return page.guestList.length === PAGE;
  },
  async profile({ shop, organizer, guests }) {
    const {
      events: [event],
    } = await listOrganizerEvents({ ...shop.deps, payoutBrakes: NO_BRAKES }, organizer);
    return event?.ticketsSold === guests;
  },
};

const NO_BRAKES = { firstDelayDays: 0, firstCapCents: null, reservePercent: 0, reserveDays: 90 };

export const bench = benchmark<Contestant>({
  name: 'growth',
  what: 'One client queries an event of 1,000 guests in a database of 1,000 tickets, then one of 100,000 guests among 1,000,000.',
  metrics: QUERIES.map((query) => ({
    name: `growth/${query}`,
    target: { atMost: 1.2 },
    baseline: 'the same with 1,000 tickets in all',
    ratio: (round) => round[`${query}/small`].perSecond / round[`${query}/large`].perSecond,
    value: (round) => 1000 / round[`${query}/large`].perSecond,
    unit: 'ms',
  })),
  async open({ smoke }) {
    const small = await openFixture({ guests: 1000, others: 0 });
    const large = await openFixture(smoke ? { guests: 2000, others: 2 } : { guests: 100_000, others: 900 });
    const pairs = QUERIES.flatMap((query): [Contestant, (seconds: number) => Promise<Sample>][] => [
      [`${query}/small`, (seconds) => run(query, small, seconds)],
      [`${query}/large`, (seconds) => run(query, large, seconds)],
    ]);
    return {
      contestants: Object.fromEntries(pairs) as Record<Contestant, (seconds: number) => Promise<Sample>>,
      async check(round) {
        const wrong = pairs.flatMap(([name]) => {
          const { count, right } = round[name];
          return right === count ? [] : [`${name}: ${count} queries, ${right} right answers`];
        });
        for (const { shop } of [small, large]) {
          wrong.push(...(await wrongTicketTotals(shop.ownerPool)));
          await rollUpTotals(shop.deps);
          wrong.push(...(await wrongTicketTotals(shop.ownerPool)));
        }
        return wrong;
      },
      async close() {
        await small.shop.close();
        await large.shop.close();
      },
    };
  },
});

/** `others`: number of further events, each with 1,000 guests and of another organizer. */
async function openFixture({ guests, others }: { guests: number; others: number }): Promise<Fixture> {
  const shop = await openShop();
  if (others > 0)
    for (const { eventId } of await putOnSale(shop.ownerPool, { events: others }))
      await sellMany(shop.owner, eventId, 1000);
  const [event] = await putOnSale(shop.ownerPool);
  if (!event) throw new Error('there is no event');
  const { eventId, organizer } = event;
  await sellMany(shop.owner, eventId, guests);
  await rollUpTotals(shop.deps);
  await shop.ownerPool.query('vacuum analyze tickets');
  const { rows } = await shop.ownerPool.query<{ id: string }>(
    `select id from tickets where event_id = $1 and confirmation_number::bigint - 1000000000 <= $2 order by random() limit 500`,
    [eventId, guests - 2 * PAGE],
  );
  return { shop, eventId, organizer, guests, cursors: rows.map(({ id }) => id) };
}

async function run(query: Query, fixture: Fixture, seconds: number): Promise<Sample> {
  if (query === 'check-in') return admit(fixture, seconds);
  let right = 0;
  const sample = await closedLoop({ clients: 1, seconds }, async () => {
    if (await RUN_QUERY[query](fixture)) right++;
  });
  return { ...sample, right };
}

/**
 * The same number of guests in both databases, spread over the whole list; their check-in is reset before the timing
 * starts.
 */
async function admit({ shop, eventId, guests }: Fixture, seconds: number): Promise<Sample> {
  await shop.ownerPool.query(
    `update tickets set state = 'valid', scanned_at = null, scanned_by = null, scan_id = null where event_id = $1 and state = 'scanned'`,
    [eventId],
  );
  await shop.ownerPool.query('vacuum tickets');
  const step = Math.floor(guests / SCANS);
  const waiting = Array.from({ length: SCANS }, (_, index) => confirmationNumberOf(1 + index * step));
  const device = { eventId, deviceId: newId(), isMember: false };
  const start = performance.now();
  let count = 0;
  while (waiting.length > 0 && performance.now() - start < seconds * 1000) {
    await checkGuest(shop.deps, device, waiting.pop() ?? '');
    count++;
  }
  const perSecond = (count * 1000) / (performance.now() - start);
  return { perSecond, count, right: await scannedBy(shop, device) };
}

async function scannedBy({ ownerPool }: Shop, device: Attendant): Promise<number | undefined> {
  const { rows } = await ownerPool.query<{ scanned: number }>(
    `select count(*)::int as scanned from tickets where event_id = $1 and state = 'scanned' and scanned_by = $2`,
    [device.eventId, device.deviceId],
  );
  return rows[0]?.scanned;
}
