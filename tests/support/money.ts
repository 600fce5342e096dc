/** Where the money went, in our ledger and at Stripe. */
import { sql } from 'kysely';
import type Stripe from 'stripe';
import { createStripeClient } from '#server/platform/adapters/stripe/stripe-client.ts';
import { sandboxKeys } from '#server/platform/secrets.ts';
import type { Visitor } from './http-visitor.ts';
import { logInAgain } from './people.ts';
import type { TestApp } from './test-app.ts';

/** The event's ledger as lines such as `refund processor -2400`, in a fixed order. */
export async function ledgerOf({ db }: TestApp, eventId: string, kind?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .where('eventId', '=', eventId)
    .select(['kind', 'account', 'cents'])
    .orderBy('kind')
    .orderBy('account')
    .orderBy('cents')
    .execute();
  return rows.filter((row) => !kind || row.kind === kind).map((row) => `${row.kind} ${row.account} ${row.cents}`);
}

export interface Movement {
  id: string;
  amount: number;
  status: string | null;
  destination: string | null;
}

/** Amounts that Stripe refunded or transferred for the event. */
export async function movementsAtStripe(
  { db }: Pick<TestApp, 'db'>,
  kind: 'refund' | 'transfer',
  eventId: string,
): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select id, (body->>'amount')::int as amount, body->>'status' as status, body->>'destination' as destination
      from sandbox.objects
     where kind = ${kind} and body->'metadata'->>'event_id' = ${eventId}
     order by id`.execute(db);
  return rows;
}

export async function reservedOf({ db }: Pick<TestApp, 'db'>, eventId: string): Promise<number> {
  const types = await db.selectFrom('ticketTypes').where('eventId', '=', eventId).select('reserved').execute();
  return types.reduce((sum, type) => sum + type.reserved, 0);
}

/** Makes the next matching calls to Stripe fail. */
export async function planFault({ sandboxUrl }: Pick<TestApp, 'sandboxUrl'>, fault: object): Promise<void> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

/** Triggers events at the bank: `disputes`, `disputes/<id>`, `refunds/<id>`. */
export async function simulateAtBank(
  { sandboxUrl }: Pick<TestApp, 'sandboxUrl'>,
  what: string,
  how: object,
): Promise<{ id: string }> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(how),
  });
  const became: { id: string } = JSON.parse(await reply.text());
  if (!reply.ok) throw new Error(`the bank rejected it: ${JSON.stringify(became)}`);
  return became;
}

export async function clearFaults({ sandboxUrl }: TestApp): Promise<void> {
  await fetch(`${sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
}

/** Moves the clock to the last second before an instant; the clock only goes forward. */
export async function advanceTo(app: TestApp, at: Date): Promise<void> {
  const seconds = Math.floor((at.getTime() - app.now().getTime()) / 1000);
  await app.advance({ seconds });
}

/** To the start of the next hour or day, and so on, in UTC: what counts by it then fits into one. */
export async function advanceToNext(app: TestApp, { seconds }: { seconds: number }): Promise<void> {
  await app.advance({ seconds: seconds - (Math.floor(app.now().getTime() / 1000) % seconds) });
}

/** From this instant the event's refunds are closed and its payout is open. */
export async function settlementOf({ db }: TestApp, eventId: string): Promise<Date> {
  const { latestEndsAt } = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select('latestEndsAt')
    .executeTakeFirstOrThrow();
  return new Date(latestEndsAt.getTime() + 24 * 60 * 60 * 1000);
}

/** Advances past the opening of the event's payout, and logs its organizer in again. */
export async function openPayout(
  app: TestApp,
  event: { eventId: string; visitor: Visitor; email: string },
  secondsAfter = 60,
): Promise<void> {
  const opens = await settlementOf(app, event.eventId);
  await advanceTo(app, new Date(opens.getTime() + secondsAfter * 1000));
  await logInAgain(event);
}

/** Pins the server's clock to an instant while `work` runs, to test limits to the second. */
export async function at<T>({ db }: TestApp, instant: Date, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ is: string }>`select pg_get_functiondef('business_now'::regproc) as is`.execute(db);
  const stopped = sql.lit(instant.toISOString());
  await sql`
    create or replace function business_now() returns timestamptz language sql stable
      as $$ select timestamptz ${stopped} $$`.execute(db);
  try {
    return await work();
  } finally {
    await sql.raw(rows[0]?.is ?? '').execute(db);
  }
}

/** The operator's own access to Stripe, as in the dashboard. */
export function stripeOf({
  sandboxUrl,
  deps,
}: Pick<TestApp, 'sandboxUrl'> & { deps: Pick<TestApp['deps'], 'appSecret'> }): Stripe {
  const { hostname: host, port } = new URL(sandboxUrl);
  const { secretKey } = sandboxKeys(deps.appSecret);
  return createStripeClient({ secretKey, api: { host, port: Number(port), protocol: 'http' } });
}

interface StripeObject {
  id: string;
  amount: number | null;
  status: string | null;
  paid: boolean | null;
}

/** Stripe's objects of one kind for the event, oldest first. */
export async function stripeObjectsOf(
  { db }: Pick<TestApp, 'db'>,
  kind: 'checkout.session' | 'payment_intent' | 'charge',
  eventId: string,
): Promise<StripeObject[]> {
  const { rows } = await sql<StripeObject>`
    select id, coalesce(body->>'amount', body->>'amount_total')::int as amount, body->>'status' as status,
           (body->>'paid')::boolean as paid
      from sandbox.objects
     where kind = ${kind} and body->'metadata'->>'event_id' = ${eventId}
     order by seq`.execute(db);
  return rows;
}

/** The payment of the event's only order. */
export async function paymentOf(app: TestApp, eventId: string): Promise<string> {
  const [payment] = await stripeObjectsOf(app, 'payment_intent', eventId);
  if (!payment) throw new Error(`event ${eventId} has no payment`);
  return payment.id;
}

/** Retries failed work at once, instead of after its delay. */
export async function retryNow(app: TestApp): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(app.db);
  await app.settle();
}

interface WebhookEvent {
  id: string;
  type: string;
  payload: string;
}

/** Stripe's webhook events about the event, oldest first, delivered or not. */
export async function webhookEventsOf({ db }: TestApp, eventId: string, type?: string): Promise<WebhookEvent[]> {
  const { rows } = await sql<WebhookEvent>`
    select id, type, payload from sandbox.events
     where payload like ${`%${eventId}%`} and (${type ?? null}::text is null or type = ${type ?? null})
     order by seq`.execute(db);
  return rows;
}

/** Posts webhook events to the server, with Stripe's signature unless the test says otherwise. */
export async function postWebhook(
  app: TestApp,
  payload: string,
  { secret = sandboxKeys(app.deps.appSecret).webhookSecret, at = app.now(), sent = payload } = {},
) {
  const timestamp = Math.floor(at.getTime() / 1000);
  const signature = stripeOf(app).webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return app.visitor().request<{ msg: string }>('/api/webhooks/stripe', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: sent,
  });
}

/** Sets whether Stripe allows transfers to the organizer's account. */
export async function setTransfers(
  { db }: TestApp,
  { email }: { email: string },
  status: 'active' | 'restricted',
): Promise<void> {
  await sql`
    update sandbox.objects
       set body = jsonb_set(body::jsonb,
             '{configuration,recipient,capabilities,stripe_balance,stripe_transfers,status}',
             to_jsonb(${status}::text))::json
     where kind = 'v2.core.account' and body->>'contact_email' = ${email}`.execute(db);
}
