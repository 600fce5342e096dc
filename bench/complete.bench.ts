import { fulfillOrder } from '#server/payments/checkout/fulfill-order.ts';
import type { Pool } from '#server/platform/database.ts';
import { paidSession } from '#tests/support/reserved-order.ts';
import { benchmark } from './harness/benchmark.ts';
import { closedLoop } from './harness/closed-loop.ts';
import { type BenchEvent, putOnSale } from './harness/events-on-sale.ts';
import { baselineName, runBaseline } from './harness/pgbench.ts';
import { insertReservedOrders } from './harness/reserved-orders.ts';
import { openShop, type Shop } from './harness/shop.ts';

const CLIENTS = 64;
const CONNECTIONS = 16;
/** Above the rates at which orders can be completed, in batches and by the single statement. */
const ORDERS_PER_SECOND = 25_000;
const BASELINE_ORDERS_PER_SECOND = 12_000;

/**
 * Completes one order in a single statement: the paid order, its tickets with confirmation numbers, the ledger entries,
 * the email and the job that sends it. The ticket type's counter is not touched, and nothing else is locked.
 */
const ONE_STATEMENT = `
  with paid as (
    update orders o
       set state = 'paid', payment_id = 'pi_' || o.id, buyer_email = 'sam@example.com', paid_at = business_now()
      from bench_queue q
     where q.position = (select nextval('bench_next')) and o.event_id = q.event_id and o.id = q.order_id and o.state = 'reserved'
    returning o.event_id, o.id, o.total_cents, o.buyer_email, o.paid_at, uuidv7() as sale_id
  ), issued as (
    insert into tickets (event_id, id, order_id, order_line_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
    select l.event_id, uuidv7(), l.order_id, l.id, l.ticket_type_id, new_confirmation_number(), l.ticket_name, l.unit_price_cents, p.buyer_email, p.paid_at
      from paid p join order_lines l on l.event_id = p.event_id and l.order_id = p.id cross join generate_series(1, l.quantity)
        on conflict (event_id, confirmation_number) do nothing
  ), booked as (
    insert into ledger_entries (event_id, transaction_id, account, cents, kind, subject_id, created_at)
    select event_id, sale_id, account, sign * total_cents, 'sale', id, paid_at
      from paid cross join (values ('processor', 1), ('organizer-payable', -1)) as sides (account, sign)
        on conflict (event_id, subject_id, kind, account) do nothing
  ), written as (
    insert into email_outbox (id, kind, subject_id, to_address, params, created_at)
    select uuidv7(), 'tickets', id::text, buyer_email, jsonb_build_object('eventId', event_id), paid_at from paid
        on conflict (kind, subject_id, version) do nothing
    returning id)
  select (graphile_worker.add_job('send-email', json_build_object('emailId', id), max_attempts => 25)).id from written`;

export const bench = benchmark({
  name: 'complete',
  what: `${CLIENTS} concurrent payments become tickets: 1 to 4 of one event in each order.`,
  metrics: [
    {
      target: { atLeast: 2 },
      baseline: baselineName('one statement, no counter', CONNECTIONS),
      ratio: ({ subject, baseline }) => subject.perSecond / baseline.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'orders/s',
    },
  ],
  async open() {
    const shop = await openShop();
    const { ownerPool } = shop;
    await ownerPool.query(`
      create sequence bench_next;
      create table bench_queue (position bigint generated always as identity primary key, event_id text not null, order_id uuid not null)`);
    const [event, baselineEvent] = await putOnSale(ownerPool, { events: 2 });
    if (!event || !baselineEvent) throw new Error('there are no events');
    const done = { subject: 0, baseline: 0 };

    return {
      contestants: {
        async subject(seconds) {
          const orders = await insertReservedOrders(ownerPool, event, Math.ceil(ORDERS_PER_SECOND * seconds));
          return closedLoop({ clients: CLIENTS, seconds }, async () => {
            const order = orders.pop();
            if (!order) throw new Error('no orders left to complete: insert more');
            await fulfillOrder(shop.deps, order, paidSession(order, { buyerEmail: 'sam@example.com' }));
            done.subject++;
          });
        },
        async baseline(seconds) {
          await queueOrders(ownerPool, baselineEvent, Math.ceil(BASELINE_ORDERS_PER_SECOND * seconds));
          const sample = await runBaseline({
            statement: ONE_STATEMENT,
            connectionString: shop.connectionString,
            connections: CONNECTIONS,
            seconds,
          });
          done.baseline += sample['count'] ?? 0;
          return sample;
        },
      },
      check: async () => [
        ...(await wrongTotals(shop, event, done.subject)),
        ...(await wrongOrders(shop, baselineEvent, done.baseline)),
      ],
      close: () => shop.close(),
    };
  },
});

async function queueOrders(pool: Pool, event: BenchEvent, count: number): Promise<void> {
  const orders = await insertReservedOrders(pool, event, count);
  await pool.query('truncate bench_queue restart identity');
  await pool.query(
    'insert into bench_queue (event_id, order_id) select $1, id from unnest($2::uuid[]) with ordinality as o (id, position) order by position',
    [event.eventId, orders.map((order) => order.orderId)],
  );
  await pool.query(`select setval('bench_next', 1, false)`);
}

/** Counts an event's paid orders, and those that disagree with their tickets, ledger entries, email or job. */
const TOTALS = `
  with paid as (select * from orders where event_id = $1 and state = 'paid'),
  issued as (select order_id, count(*) as tickets, sum(price_cents) as cents from tickets where event_id = $1 group by order_id),
  booked as (
    select subject_id, sum(cents) filter (where account = 'processor') as received, sum(cents) as balance
      from ledger_entries where event_id = $1 group by subject_id),
  wanted as (select order_id, sum(quantity) as tickets from order_lines where event_id = $1 group by order_id)
  select count(*)::int as paid,
         count(*) filter (where w.tickets is distinct from i.tickets or o.total_cents is distinct from i.cents)::int as unlike_tickets,
         count(*) filter (where b.received is distinct from o.total_cents or b.balance <> 0)::int as unlike_books,
         count(*) filter (where m.id is null)::int as without_email,
         (select count(*) from issued where order_id not in (select id from paid))::int as unpaid_tickets
    from paid o
    join wanted w on w.order_id = o.id
    left join issued i on i.order_id = o.id
    left join booked b on b.subject_id = o.id
    left join email_outbox m on m.kind = 'tickets' and m.subject_id = o.id::text`;

const JOBS = `
  select count(*)::int as jobs from graphile_worker._private_jobs j
    join email_outbox m on m.id::text = j.payload ->> 'emailId' where m.params ->> 'eventId' = $1`;

type Totals = Record<'paid' | 'unlike_tickets' | 'unlike_books' | 'without_email' | 'unpaid_tickets', number>;

async function totalsOf({ ownerPool }: Shop, { eventId }: BenchEvent): Promise<Totals & { jobs: number }> {
  const client = await ownerPool.connect();
  try {
    await client.query("set statement_timeout = '120s'");
    const totals = await client.query<Totals>(TOTALS, [eventId]);
    const queued = await client.query<{ jobs: number }>(JOBS, [eventId]);
    if (!totals.rows[0] || !queued.rows[0]) throw new Error('nothing was counted');
    return { ...totals.rows[0], ...queued.rows[0] };
  } finally {
    client.release(true);
  }
}

const FAULTS = {
  unlike_tickets: "paid orders don't match their tickets",
  unlike_books: "paid orders don't match their ledger entries",
  without_email: 'paid orders have no email',
  unpaid_tickets: 'orders have tickets but are not paid',
} as const;

async function wrongTotals(shop: Shop, event: BenchEvent, done: number): Promise<string[]> {
  const totals = await totalsOf(shop, event);
  const { paid, jobs } = totals;
  const wrong = (['unlike_tickets', 'unlike_books', 'without_email', 'unpaid_tickets'] as const).filter(
    (fault) => totals[fault] > 0,
  );
  return [
    ...wrong.map((fault) => `${totals[fault]} ${FAULTS[fault]}`),
    ...(paid === done ? [] : [`${done} orders were completed, ${paid} are paid`]),
    ...(jobs === paid ? [] : [`${paid} emails are due, ${jobs} are queued`]),
  ];
}

/**
 * The single statement skips a ticket on a confirmation number collision. That makes it faster, and still a valid
 * baseline.
 */
async function wrongOrders(shop: Shop, event: BenchEvent, done: number): Promise<string[]> {
  const { paid, unlike_books, without_email } = await totalsOf(shop, event);
  return paid === done && unlike_books + without_email === 0
    ? []
    : [
        `the single statement: ${done} done, ${paid} paid, ${unlike_books} without ledger entries, ${without_email} without email`,
      ];
}
