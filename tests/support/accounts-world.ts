import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { accountRoutes } from '#server/accounts/accounts.routes.ts';
import { authenticate } from '#server/accounts/authenticate.ts';
import { stripePayoutAccounts } from '#server/adapters/stripe/payout-accounts.ts';
import { createStripeClient } from '#server/adapters/stripe/stripe-client.ts';
import { postgresTries } from '#server/adapters/tries/postgres-tries.ts';
import { openDatabase, openPool } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { answerRefusals } from '#server/http/answer-refusal.ts';
import { guardsOf } from '#server/http/guards.ts';
import { payoutRoutes } from '#server/payouts/payouts.routes.ts';
import { createTestDatabase } from './test-database.ts';

export async function openWorld() {
  const database = await createTestDatabase();
  const pool = openPool(database.connectionString, () => {});
  const db = openDatabase(pool);
  const appSecret = 'x'.repeat(40);
  const publicUrl = 'http://localhost:3000';
  let offset = 0;
  const stripe = createStripeClient({ secretKey: 'sk_test_1', api: { host: '127.0.0.1', port: 9, protocol: 'http' } });
  const deps = {
    db,
    appSecret,
    publicUrl,
    clock: { now: () => new Date(Date.now() + offset) },
    tries: postgresTries(db, 1),
    payoutAccounts: stripePayoutAccounts(stripe, { publicUrl }),
    log: pino({ level: process.env.LOG ?? 'silent' }),
  } as unknown as Deps;
  const app = Fastify({ loggerInstance: deps.log });
  app.decorate('handstamp', {
    publicUrl,
    guards: guardsOf({
      authenticate: (c) => authenticate(deps, c),
      readGrant: async () => null,
      ownsEvent: async () => null,
    }),
  });
  answerRefusals(app as never);
  await app.register(fastifyCookie);
  accountRoutes(app as never, deps);
  payoutRoutes(app as never, deps);
  await app.ready();
  return {
    app,
    db,
    appSecret,
    deps,
    advance: async (seconds: number) => {
      offset += seconds * 1000;
    },
    async untilSomeoneWaits() {
      for (;;) {
        const { rows } = await sql<{
          n: number;
        }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        );
        if (rows[0]?.n) return;
        await new Promise((r) => setTimeout(r, 20));
      }
    },
    async close() {
      await app.close();
      await db.destroy();
      await database.drop();
    },
  };
}
export type World = Awaited<ReturnType<typeof openWorld>>;
