import { listGuests } from '#server/backoffice/guests/list-guests.ts';
import { listOrganizerEvents } from '#server/backoffice/profile/list-organizer-events.ts';
import { checkGuest } from '#server/checkin/check-guest.ts';
import { ticketToCheckIn } from '#server/checkin/check-in.sql.ts';
import { readEventPage } from '#server/events/page/read-event-page.ts';
import { rollUpTotals } from '#server/events/totals/roll-up-totals.ts';
import { newId } from '#server/platform/ids.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { closedLoop } from './harness/closed-loop.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { openShop, type Shop } from './harness/shop.ts';
import { wrongTicketTotals } from './harness/ticket-totals.ts';

/** A database with so many tickets, and the largest of its events, of which everything is asked. */
interface Hall {
  shop: Shop;
  eventId: string;
  organizerId: string;
  guests: number;
  /** Ticket ids, anywhere in the list but on its last page. */
  cursors: string[];
}

const LOOKS = ['event-page', 'code-look-up', 'guest-page', 'profile', 'check-in'] as const;
type Look = (typeof LOOKS)[number];
type Contestant = `${Look}/${'small' | 'large'}`;

const PAGE = 100;
const SCANS = 500;

const anyOf = <One>(list: readonly One[]) => list[Math.floor(Math.random() * list.length)];
const numberOf = (place: number) => String(1_000_000_000 + place);

/** Whether the answer has what is there: nothing is found quickly. */
const ASKED: Record<Exclude<Look, 'check-in'>, (hall: Hall) => Promise<boolean>> = {
  async 'event-page'({ shop, eventId }) {
    const page = await readEventPage(shop.deps, eventId);
    return page?.publicEvent.eventId === eventId;
  },
  async 'code-look-up'({ shop, eventId, guests }) {
    const confirmationNumber = numberOf(1 + Math.floor(Math.random() * guests));
    return (await ticketToCheckIn(shop.deps.db, { eventId, confirmationNumber })) !== undefined;
  },
  async 'guest-page'({ shop, organizerId, eventId, cursors }) {
    const page = await listGuests(shop.deps, organizerId, { eventId, after: anyOf(cursors), limit: PAGE });
    return page.guestList.length === PAGE;
  },
  async profile({ shop, organizerId, guests }) {
    const [event] = await listOrganizerEvents(shop.deps, organizerId);
    return event?.ticketsSold === guests;
  },
};

export const bench = benchmark<Contestant>({
  name: 'growth',
  what: 'One client asks an event of 1,000 guests in a database of 1,000 tickets, then one of 100,000 guests among 1,000,000.',
  figures: LOOKS.map((look) => ({
    name: `growth/${look}`,
    target: { atMost: 1.2 },
    baseline: 'the same with 1,000 tickets in all',
    ratio: (round) => round[`${look}/small`].perSecond / round[`${look}/large`].perSecond,
    value: (round) => 1000 / round[`${look}/large`].perSecond,
    unit: 'ms',
  })),
  async open({ smoke }) {
    const small = await openHall({ guests: 1000, others: 0 });
    const large = await openHall(smoke ? { guests: 2000, others: 2 } : { guests: 100_000, others: 900 });
    const pairs = LOOKS.flatMap((look): [Contestant, (seconds: number) => Promise<Sample>][] => [
      [`${look}/small`, (seconds) => run(look, small, seconds)],
      [`${look}/large`, (seconds) => run(look, large, seconds)],
    ]);
    return {
      contestants: Object.fromEntries(pairs) as Record<Contestant, (seconds: number) => Promise<Sample>>,
      async check(round) {
        const wrong = pairs.flatMap(([name]) => {
          const { count, right } = round[name];
          return right === count ? [] : [`${name}: ${count} were asked for, ${right} were there`];
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

/** `others`: how many more events there are, each of 1,000 guests and of somebody else. */
async function openHall({ guests, others }: { guests: number; others: number }): Promise<Hall> {
  const shop = await openShop();
  if (others > 0)
    for (const { eventId } of await putOnSale(shop.ownerPool, { events: others }))
      await sellMany(shop.owner, eventId, 1000);
  const [event] = await putOnSale(shop.ownerPool);
  if (!event) throw new Error('there is no event');
  const { eventId, organizerId } = event;
  await sellMany(shop.owner, eventId, guests);
  await rollUpTotals(shop.deps);
  await shop.ownerPool.query('vacuum analyze tickets');
  const { rows } = await shop.ownerPool.query<{ id: string }>(
    `select id from tickets where event_id = $1 and confirmation_number::bigint - 1000000000 <= $2 order by random() limit 500`,
    [eventId, guests - 2 * PAGE],
  );
  return { shop, eventId, organizerId, guests, cursors: rows.map(({ id }) => id) };
}

async function run(look: Look, hall: Hall, seconds: number): Promise<Sample> {
  if (look === 'check-in') return admit(hall, seconds);
  let right = 0;
  const sample = await closedLoop({ clients: 1, seconds }, async () => {
    if (await ASKED[look](hall)) right++;
  });
  return { ...sample, right };
}

/** The same number of guests in both halls, picked from all over the list; sent out again before they are timed. */
async function admit({ shop, eventId, guests }: Hall, seconds: number): Promise<Sample> {
  await shop.ownerPool.query(
    `update tickets set state = 'valid', scanned_at = null, scanned_by = null, scan_id = null where event_id = $1 and state = 'scanned'`,
    [eventId],
  );
  await shop.ownerPool.query('vacuum tickets');
  const step = Math.floor(guests / SCANS);
  const waiting = Array.from({ length: SCANS }, (_, index) => numberOf(1 + index * step));
  const grantId = newId();
  const start = performance.now();
  let count = 0;
  while (waiting.length > 0 && performance.now() - start < seconds * 1000) {
    await checkGuest(shop.deps, { eventId, grantId }, waiting.pop() ?? '');
    count++;
  }
  const perSecond = (count * 1000) / (performance.now() - start);
  return { perSecond, count, right: await scannedBy(shop, { eventId, grantId }) };
}

async function scannedBy({ ownerPool }: Shop, door: { eventId: string; grantId: string }): Promise<number | undefined> {
  const { rows } = await ownerPool.query<{ scanned: number }>(
    `select count(*)::int as scanned from tickets where event_id = $1 and state = 'scanned' and scanned_by = $2`,
    [door.eventId, door.grantId],
  );
  return rows[0]?.scanned;
}
