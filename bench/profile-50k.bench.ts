import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as accounts from '#contract/app/accounts.ts';
import { exportGuests } from '#server/backoffice/guests/export-guests.ts';
import { rollUpTotals } from '#server/events/totals/roll-up-totals.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { load } from './harness/load.ts';
import { type Organizer, openOrganizer } from './harness/organizer.ts';
import { medianOf } from './harness/run-rounds.ts';
import { openShop, type Shop } from './harness/shop.ts';
import { wrongTicketTotals } from './harness/ticket-totals.ts';

const EVENTS = 5;
const SMALL = 50;

export const bench = benchmark<'large' | 'small' | 'download'>({
  name: 'profile-50k',
  what: `An organizer of ${EVENTS} events opens the profile, with 50,000 guests and with ${SMALL}, then downloads all guests of an event.`,
  metrics: [
    {
      target: { atMost: 2 },
      baseline: `the same with ${SMALL} guests`,
      ratio: ({ large, small }) => small.perSecond / large.perSecond,
      value: ({ large }) => 1000 / large.perSecond,
      unit: 'ms',
    },
    {
      name: 'profile-50k/bytes',
      target: { atMost: 150 },
      baseline: 'kB of the uncompressed answer',
      ratio: ({ large }) => (large['bytes'] ?? Number.NaN) / 1000,
      value: ({ large }) => (large['bytes'] ?? Number.NaN) / 1000,
      unit: 'kB',
    },
    {
      name: 'profile-50k/stall',
      target: { atMost: 10 },
      baseline: 'ms, longest event loop stall per download, median',
      ratio: ({ download }) => download['stall'] ?? Number.NaN,
      value: ({ download }) => download.perSecond,
      unit: 'guests/s',
    },
  ],
  async open({ smoke }) {
    const shop = await openShop({ processes: 1 });
    const large = await openOrganizer(shop, { events: EVENTS, guests: smoke ? 2500 : 50_000 });
    const small = await openOrganizer(shop, { events: EVENTS, guests: SMALL });
    await rollUpTotals(shop.deps);
    await shop.ownerPool.query('vacuum analyze tickets');
    const wrong: string[] = [];
    const open = (organizer: Organizer) => async (seconds: number) => openProfile(shop, organizer, seconds, wrong);
    return {
      contestants: {
        large: open(large),
        small: open(small),
        download: (seconds) => download(shop, large, seconds, wrong),
      },
      check: async () => [...wrong.splice(0), ...(await wrongTicketTotals(shop.ownerPool))],
      close: () => shop.close(),
    };
  },
});

async function openProfile({ origins }: Shop, organizer: Organizer, seconds: number, wrong: string[]): Promise<Sample> {
  let bytes = 0;
  const sample = await load({
    origins,
    connections: 1,
    seconds,
    next: () => organizer.get(accounts.profile.path),
    onAnswer({ status, body }) {
      if (bytes === 0) wrong.push(...faultsOf(organizer, status, body));
      bytes = body.length;
    },
  });
  return { ...sample, bytes };
}

function faultsOf({ guests }: Organizer, status: number, body: Buffer): string[] {
  if (status !== 200) return [`the profile answered ${status}`];
  const { events } = accounts.profile.reply.parse(JSON.parse(body.toString()));
  const sold = events.reduce((sum, event) => sum + event.ticketsSold, 0);
  const shown = events.reduce((sum, event) => sum + event.guestList.length, 0);
  const wanted = Math.min(guests, EVENTS * 100);
  return sold === guests && shown === wanted ? [] : [`the profile shows ${sold} sold and ${shown} of ${guests} guests`];
}

/** Runs in this process, whose event loop is monitored. */
async function download({ deps }: Shop, organizer: Organizer, seconds: number, wrong: string[]): Promise<Sample> {
  const end = performance.now() + seconds * 1000;
  const start = performance.now();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const stalls: number[] = [];
  let lines = 0;
  do {
    delay.reset();
    delay.enable();
    const [eventId = ''] = organizer.eventIds;
    const { chunks: pieces } = await exportGuests(deps, organizer.organizer, { eventId });
    const reader = new Writable({
      decodeStrings: false,
      write(piece: string, _encoding, taken) {
        lines += piece.split('\r\n').length - 1;
        // Asynchronous, like a socket.
        setImmediate(taken);
      },
    });
    await pipeline(Readable.from(pieces), reader);
    delay.disable();
    stalls.push(delay.max / 1e6);
  } while (performance.now() < end);
  const files = stalls.length;
  const each = organizer.guests / EVENTS;
  if (lines !== files * (each + 1)) wrong.push(`${files} files of ${each} guests have ${lines} lines`);
  return { perSecond: (lines * 1000) / (performance.now() - start), stall: medianOf(stalls) };
}
