import { benchmark, type Sample } from './harness/benchmark.ts';
import { openCheckIn } from './harness/check-in.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { load } from './harness/load.ts';
import { openShop } from './harness/shop.ts';

const CONNECTIONS = 64;
const TICKETS = 300_000;
const DOUBLES = 0.05;
/** Above the rate at which guests can check in. */
const TICKETS_PER_SECOND = 25_000;
const TOLERATED_MS = 25;
const TOLERATED_FACTOR = 4;

const p99 = (sample: Sample) => sample.p99 ?? Number.NaN;

export const bench = benchmark<'subject' | 'constant'>({
  name: 'checkin-http',
  what: `${CONNECTIONS} devices check in the guests of an event with ${TICKETS} tickets; 1 scan in 20 repeats a ticket that another device scanned.`,
  metrics: [
    {
      target: { atLeast: 0.5 },
      baseline: 'the same server, constant answer',
      ratio: ({ subject, constant }) => subject.perSecond / constant.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'scans/s',
    },
    {
      name: 'checkin-http/p99',
      target: { atMost: 1 },
      baseline: `the greater of ${TOLERATED_MS} ms and ${TOLERATED_FACTOR} x the constant's p99`,
      ratio: ({ subject, constant }) => p99(subject) / Math.max(TOLERATED_MS, TOLERATED_FACTOR * p99(constant)),
      value: ({ subject }) => p99(subject),
      unit: 'ms',
    },
  ],
  async open({ smoke, seconds }) {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool);
    if (!event) throw new Error('there is no event');
    const checkIn = await openCheckIn(shop, event, CONNECTIONS);
    await checkIn.sell(smoke ? TICKETS_PER_SECOND * seconds : TICKETS);
    const { origins } = shop;
    let admitted = 0;

    return {
      contestants: {
        async subject(seconds) {
          const missing = TICKETS_PER_SECOND * seconds - checkIn.left();
          if (missing > 0) await checkIn.sell(missing);
          const last: string[] = [];
          return load({
            origins,
            connections: CONNECTIONS,
            seconds,
            next(device) {
              const another = last[(device + 1) % CONNECTIONS];
              const isDouble = another !== undefined && Math.random() < DOUBLES;
              const number = isDouble ? another : checkIn.nextNumber();
              if (!isDouble) last[device] = number;
              return checkIn.scan(device, number, 'real');
            },
            // A second scan of the same ticket is an answer, too.
            counts: (status) => status === 200 || status === 409,
            onAnswer({ status }) {
              if (status === 200) admitted++;
            },
          });
        },
        constant: (seconds) =>
          load({
            origins,
            connections: CONNECTIONS,
            seconds,
            next: (device) => checkIn.scan(device, '1000000000', 'constant'),
          }),
      },
      async check({ subject, constant }) {
        const odd = [subject, constant].flatMap((sample) =>
          Object.keys(sample).filter((name) => name.startsWith('status') && !['status200', 'status409'].includes(name)),
        );
        return [...(await checkIn.wrongTotals(admitted)), ...odd.map((name) => `unexpected answers: ${name}`)];
      },
      close: () => shop.close(),
    };
  },
});
