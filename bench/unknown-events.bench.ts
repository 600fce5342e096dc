import * as accounts from '#contract/app/accounts.ts';
import { publicEvent } from '#contract/app/events.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { closedLoop } from './harness/closed-loop.ts';
import { get, load } from './harness/load.ts';
import { openOrganizer } from './harness/organizer.ts';
import { openShop } from './harness/shop.ts';

const CONNECTIONS = 16;

export const bench = benchmark<'flood'>({
  name: 'unknown-events',
  what: `${CONNECTIONS} connections ask for events that don't exist, as pages and as JSON, while an organizer logs in again and again.`,
  metrics: [
    {
      target: { atLeast: 1000 },
      baseline: 'answers per second',
      ratio: ({ flood }) => flood.perSecond,
      value: ({ flood }) => flood.perSecond,
      unit: 'req/s',
    },
    {
      name: 'unknown-events/login',
      target: { atMost: 500 },
      baseline: 'ms, longest login meanwhile',
      ratio: ({ flood }) => flood['loginMs'] ?? Number.NaN,
      value: ({ flood }) => flood['loginMs'] ?? Number.NaN,
      unit: 'ms',
    },
  ],
  async open() {
    const shop = await openShop({ processes: 1, settings: { RATE_LIMIT_SCALE: '0' } });
    const { credentials } = await openOrganizer(shop, { events: 0, guests: 0 });
    const unknown = () => {
      const eventId = newPublicId();
      return Math.random() < 0.5 ? `/payment/${eventId}` : publicEvent.path.replace(':eventId', eventId);
    };
    async function logIn(): Promise<boolean> {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(credentials);
      const reply = await fetch(shop.origins[0] + accounts.login.path, { method: 'POST', headers, body });
      await reply.bytes();
      return reply.ok;
    }
    return {
      contestants: {
        async flood(seconds): Promise<Sample> {
          const [flood, logins] = await Promise.all([
            load({
              origins: shop.origins,
              connections: CONNECTIONS,
              seconds,
              next: () => get(unknown()),
              counts: () => true,
            }),
            closedLoop({ clients: 1, seconds }, logIn),
          ]);
          return { ...flood, loginMs: logins.max, logins: logins['count'] };
        },
      },
      async check({ flood }) {
        return [
          ...(flood['status404'] === flood['count'] ? [] : ['some answers were not 404']),
          ...(flood['logins'] ? [] : ['no login succeeded']),
        ];
      },
      close: () => shop.close(),
    };
  },
});
