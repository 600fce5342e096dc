import { eventOverview } from '#contract/app/records/overview.ts';
import { findGuests } from '#contract/app/sales/find-guests.ts';
import { guestRows, guestTable } from '#contract/app/sales/guest-table.ts';
import { nameMany } from '#tests/support/many-guests.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { deviceCookie } from './harness/check-in.ts';
import { load, post } from './harness/load.ts';
import { type Organizer, openOrganizer } from './harness/organizer.ts';
import { openShop } from './harness/shop.ts';

const ROWS = 100;

const inMs = (sample: Sample) => sample.p50 ?? Number.NaN;

export const bench = benchmark<'first' | 'search' | 'page' | 'table' | 'door' | 'overview'>({
  name: 'guests-50k',
  what: 'An organizer opens the guest list by name of an event with 50,000 guests, half of them named, searches it, jumps to its middle, and gets its counts; a device at the door searches its names; the organizer reads how the event sells.',
  metrics: [
    {
      name: 'guests-50k/first',
      target: { atMost: 150 },
      baseline: 'ms, median, of the first rows',
      ratio: ({ first }) => inMs(first),
      value: ({ first }) => inMs(first),
      unit: 'ms',
    },
    {
      name: 'guests-50k/search',
      target: { atMost: 100 },
      baseline: 'ms, median, of a search by name',
      ratio: ({ search }) => inMs(search),
      value: ({ search }) => inMs(search),
      unit: 'ms',
    },
    {
      name: 'guests-50k/page',
      target: { atMost: 150 },
      baseline: 'ms, median, of a page in the middle',
      ratio: ({ page }) => inMs(page),
      value: ({ page }) => inMs(page),
      unit: 'ms',
    },
    {
      name: 'guests-50k/table',
      target: { atMost: 400 },
      baseline: 'ms, median, of the counts of the filters and the ends of all pages',
      ratio: ({ table }) => inMs(table),
      value: ({ table }) => inMs(table),
      unit: 'ms',
    },
    {
      name: 'guests-50k/door',
      target: { atMost: 150 },
      baseline: 'ms, median, of a search by name at the door',
      ratio: ({ door }) => inMs(door),
      value: ({ door }) => inMs(door),
      unit: 'ms',
    },
    {
      name: 'guests-50k/overview',
      target: { atMost: 50 },
      baseline: 'ms, median, of the data of the Overview tab',
      ratio: ({ overview }) => inMs(overview),
      value: ({ overview }) => inMs(overview),
      unit: 'ms',
    },
  ],
  async open({ smoke }) {
    // The door's search is limited per device, to fewer than the measurement makes.
    const shop = await openShop({ processes: 1, settings: { RATE_LIMIT_SCALE: '0' } });
    const guests = smoke ? 1000 : 50_000;
    const organizer = await openOrganizer(shop, { events: 1, guests });
    const [eventId = ''] = organizer.eventIds;
    await nameMany(shop.owner, eventId);
    await shop.ownerPool.query('update events set allows_name_search = true where id = $1', [eventId]);
    const wrong: string[] = [];
    const sending = (request: Buffer, faultOf: (body: unknown) => string | null) => (seconds: number) =>
      load({
        origins: shop.origins,
        connections: 1,
        seconds,
        next: () => request,
        onAnswer({ status, body }) {
          const fault = status === 200 ? faultOf(JSON.parse(body.toString())) : `answered ${status}`;
          if (fault) wrong.push(fault);
        },
      });
    const asking = (path: string, faultOf: (body: unknown) => string | null) =>
      sending(organizer.get(path.replace(':eventId', eventId)), faultOf);
    const rows = (count: number) => (body: unknown) => {
      const found = guestRows.reply.parse(body).guests.length;
      return found === count ? null : `${found} guests instead of ${count}`;
    };
    const marks = await marksOf(shop.origins, organizer, eventId);
    const middle = Math.floor(marks.length / 2);
    return {
      contestants: {
        first: asking(guestRows.path, rows(ROWS)),
        search: asking(`${guestRows.path}?q=sofia`, rows(ROWS)),
        page: asking(`${guestRows.path}?after=${marks[middle - 1]}&until=${marks[middle]}`, rows(ROWS)),
        table: asking(guestTable.path, (body) => {
          const { counts } = guestTable.reply.parse(body);
          const counted = counts.reduce((sum, { tickets }) => sum + tickets, 0);
          return counted === guests ? null : `counts ${counted} of ${guests}`;
        }),
        overview: asking(eventOverview.path, (body) => {
          const { sold } = eventOverview.reply.parse(body);
          return sold === guests ? null : `sold ${sold} of ${guests}`;
        }),
        door: sending(post(findGuests.path, { eventId, name: 'sofia' }, deviceCookie(shop.deps, eventId)), (body) => {
          const { guests: found, isMore } = findGuests.reply.parse(body);
          return found.length > 0 && isMore ? null : `${found.length} guests found at the door`;
        }),
      },
      check: async () => wrong.splice(0),
      close: () => shop.close(),
    };
  },
});

async function marksOf(origins: readonly string[], organizer: Organizer, eventId: string): Promise<string[]> {
  let marks: string[] = [];
  await load({
    origins: [...origins],
    connections: 1,
    seconds: 0.01,
    next: () => organizer.get(guestTable.path.replace(':eventId', eventId)),
    onAnswer({ body }) {
      marks = guestTable.reply.parse(JSON.parse(body.toString())).marks;
    },
  });
  return marks;
}
