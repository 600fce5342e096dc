import { benchmark, type Sample } from './harness/benchmark.ts';
import { openDoor } from './harness/door.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { load } from './harness/load.ts';
import { openShop } from './harness/shop.ts';

const CONNECTIONS = 64;
const TICKETS = 300_000;
const DOUBLES = 0.05;
/** More guests than can come in within a second. */
const A_SECOND = 25_000;
const BEARABLE_MS = 25;
const AS_SLOW = 4;

const p99 = (sample: Sample) => sample.p99 ?? Number.NaN;

export const bench = benchmark<'subject' | 'constant'>({
  name: 'checkin-http',
  what: `${CONNECTIONS} devices let in the guests of an event with ${TICKETS} tickets; one scan in 20 is of a ticket that another device scanned.`,
  figures: [
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
      baseline: `the later of ${BEARABLE_MS} ms and ${AS_SLOW} x the constant's p99`,
      ratio: ({ subject, constant }) => p99(subject) / Math.max(BEARABLE_MS, AS_SLOW * p99(constant)),
      value: ({ subject }) => p99(subject),
      unit: 'ms',
    },
  ],
  async open({ smoke, seconds }) {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool);
    if (!event) throw new Error('there is no event');
    const door = await openDoor(shop, event, CONNECTIONS);
    await door.sell(smoke ? A_SECOND * seconds : TICKETS);
    const { origins } = shop;
    let letIn = 0;

    return {
      contestants: {
        async subject(seconds) {
          const missing = A_SECOND * seconds - door.left();
          if (missing > 0) await door.sell(missing);
          const last: string[] = [];
          return load({
            origins,
            connections: CONNECTIONS,
            seconds,
            next(device) {
              const another = last[(device + 1) % CONNECTIONS];
              const isDouble = another !== undefined && Math.random() < DOUBLES;
              const number = isDouble ? another : door.nextNumber();
              if (!isDouble) last[device] = number;
              return door.scan(device, number, 'real');
            },
            // Whoever comes with a ticket that is in already gets an answer, too.
            counts: (status) => status === 200 || status === 409,
            onAnswer({ status }) {
              if (status === 200) letIn++;
            },
          });
        },
        constant: (seconds) =>
          load({
            origins,
            connections: CONNECTIONS,
            seconds,
            next: (device) => door.scan(device, '1000000000', 'constant'),
          }),
      },
      async check({ subject, constant }) {
        const odd = [subject, constant].flatMap((sample) =>
          Object.keys(sample).filter((name) => name.startsWith('status') && !['status200', 'status409'].includes(name)),
        );
        return [...(await door.wrongTotals(letIn)), ...odd.map((name) => `there were answers with ${name}`)];
      },
      close: () => shop.close(),
    };
  },
});
