import { eventOverview } from '#contract/app/records/overview.ts';
import { findGuests } from '#contract/app/sales/find-guests.ts';
import { guestPageEnds, guestRows, guestTable } from '#contract/app/sales/guest-table.ts';
import { nameMany } from '#tests/support/many-guests.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { deviceCookie } from './harness/check-in.ts';
import { load, post } from './harness/load.ts';
import { openOrganizer } from './harness/organizer.ts';
import { openShop } from './harness/shop.ts';

const ROWS = 100;

const inMs = (sample: Sample) => sample.p50 ?? Number.NaN;

export const bench = benchmark<'first' | 'search' | 'page' | 'table' | 'ends' | 'door' | 'overview'>({
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
      target: { atMost: 150 },
      baseline: 'ms, median, of the counts of the filters',
      ratio: ({ table }) => inMs(table),
      value: ({ table }) => inMs(table),
      unit: 'ms',
    },
    {
      name: 'guests-50k/ends',
      target: { atMost: 250 },
      baseline: 'ms, median, of the ends of all pages',
      ratio: ({ ends }) => inMs(ends),
      value: ({ ends }) => inMs(ends),
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
    const read = (path: string) => answerTo(shop.origins, organizer.get(path.replace(':eventId', eventId)));
    const firstEnd = guestRows.reply.parse(await read(guestRows.path)).guests.at(-1)?.ticketId;
    const endsPath = `${guestPageEnds.path}?after=${firstEnd}`;
    const { ends } = guestPageEnds.reply.parse(await read(endsPath));
    const middle = Math.floor(ends.length / 2);
    return {
      contestants: {
        first: asking(guestRows.path, rows(ROWS)),
        search: asking(`${guestRows.path}?q=sofia`, rows(ROWS)),
        page: asking(`${guestRows.path}?after=${ends[middle - 1]}&until=${ends[middle]}`, rows(ROWS)),
        table: asking(guestTable.path, (body) => {
          const { counts } = guestTable.reply.parse(body);
          const counted = counts.reduce((sum, { tickets }) => sum + tickets, 0);
          return counted === guests ? null : `counts ${counted} of ${guests}`;
        }),
        ends: asking(endsPath, (body) => {
          const { rows: following } = guestPageEnds.reply.parse(body);
          return following === guests - ROWS ? null : `${following} guests after the first page`;
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

async function answerTo(origins: readonly string[], request: Buffer): Promise<unknown> {
  let answer: unknown;
  await load({
    origins: [...origins],
    connections: 1,
    seconds: 0.01,
    next: () => request,
    onAnswer({ body }) {
      answer = JSON.parse(body.toString());
    },
  });
  return answer;
}
