/**
 * Compares our records with Stripe's: its balance with the ledger's clearing account, and each object on either side
 * with its counterpart. Reads the sandbox's tables directly.
 */
import { CompiledQuery } from 'kysely';
import { sandboxKeys } from '#server/platform/secrets.ts';
import type { TestApp } from './test-app.ts';

type App = Pick<TestApp, 'db' | 'sandboxUrl'> & { deps: Pick<TestApp['deps'], 'appSecret'> };

interface Discrepancy {
  kind: string;
  subject: string;
  ours: string | null;
  theirs: string | null;
}

const QUERIES = [
  // Paid sessions and paid orders match one to one. No free order has a session at Stripe.
  `select 'session' as kind, coalesce(o.session_id, s.id) as subject, o.state as ours, s.body->>'payment_status' as theirs
     from (select * from sandbox.objects where kind = 'checkout.session' and body->>'status' = 'complete'
              and body->>'payment_status' in ('paid', 'no_payment_required')) s
     full join (select * from orders where state in ('paid', 'unfulfillable', 'needs-review') and total_cents > 0) o on o.session_id = s.id
    where o.id is null or s.id is null`,
  `select 'orders of one session' as kind, session_id as subject, count(*)::text as ours, '1' as theirs
     from orders where session_id is not null group by session_id having count(*) > 1`,
  // Every refund at Stripe is one of ours with the same amount, and every refund that we have as sent exists there. A
  // refund that failed before we heard of it moved nothing, and is not in our ledger.
  `select 'refund' as kind, coalesce(p.id, r.stripe_refund_id) as subject, concat_ws(' ', r.state, r.cents) as ours,
          concat_ws(' ', p.body->>'status', p.body->>'amount') as theirs
     from (select * from sandbox.objects where kind = 'refund' and id like 're%') p
     full join (select * from refunds where stripe_refund_id is not null) r on r.stripe_refund_id = p.id
    where p.id is null or (r.id is null and p.body->>'status' not in ('failed', 'canceled'))
       or r.cents <> (p.body->>'amount')::int
       or (r.state = 'failed') <> (p.body->>'status' in ('failed', 'canceled')) or r.state not in ('sent', 'failed')`,
  `select 'refunds under one of ours' as kind, body->'metadata'->>'refund_id' as subject, '1' as ours, count(*)::text as theirs
     from sandbox.objects where kind = 'refund' and body->'metadata'->>'refund_id' is not null
      and body->>'status' not in ('failed', 'canceled')
    group by 2 having count(*) > 1`,
  `select 'transfer' as kind, coalesce(p.id, o.transfer_id) as subject, concat_ws(' ', o.state, o.cents) as ours,
          concat_ws(' ', p.body->>'amount', 'for payout', p.body->'metadata'->>'payout_id', 'at', to_timestamp((p.body->>'created')::float8),
            'under', (select e.payload::json->'request'->>'idempotency_key' from sandbox.events e
                       where e.type = 'transfer.created' and e.payload::json->'data'->'object'->>'id' = p.id),
            (select concat_ws(' ', '- our payout of that name has', y.transfer_id, 'paid at', y.paid_at, 'tried at', y.attempted_at, 'attempt', y.attempt)
               from payouts y where y.id::text = p.body->'metadata'->>'payout_id')) as theirs
     from (select * from sandbox.objects where kind = 'transfer') p
     full join (select * from payouts where transfer_id is not null) o on o.transfer_id = p.id
    where p.id is null or o.id is null or o.cents <> (p.body->>'amount')::int`,
  `select 'reversal' as kind, coalesce(p.id, r.stripe_reversal_id) as subject, concat_ws(' ', r.state, r.gross_cents - r.fees_cents - r.reserve_cents) as ours,
          p.body->>'amount' as theirs
     from (select * from sandbox.objects where kind = 'transfer_reversal') p
     full join (select * from transfer_reversals where stripe_reversal_id is not null) r on r.stripe_reversal_id = p.id
    where p.id is null or r.id is null or r.gross_cents - r.fees_cents - r.reserve_cents <> (p.body->>'amount')::int`,
  `select 'dispute' as kind, coalesce(p.id, d.stripe_dispute_id) as subject, concat_ws(' ', d.state, d.cents) as ours,
          concat_ws(' ', p.body->>'status', p.body->>'amount') as theirs
     from (select * from sandbox.objects where kind = 'dispute') p
     full join disputes d on d.stripe_dispute_id = p.id
    where p.id is null or d.id is null or d.cents <> (p.body->>'amount')::int
       or (d.state in ('won', 'lost') and d.state <> p.body->>'status')
       or (d.state not in ('won', 'lost') and p.body->>'status' in ('won', 'lost'))`,
];

/** One line per discrepancy. */
export async function stripeDiscrepancies({ db, deps, sandboxUrl }: App) {
  const found: string[] = [];
  for (const query of QUERIES) {
    const { rows } = await db.executeQuery<Discrepancy>(CompiledQuery.raw(query));
    for (const { kind, subject, ours, theirs } of rows)
      found.push(`${kind} ${subject}: ours ${ours}, Stripe's ${theirs}`);
  }
  const ours = await clearingAccountOf(db);
  const theirs = await balanceAt(sandboxUrl, sandboxKeys(deps.appSecret).secretKey);
  return ours === theirs
    ? found
    : [...found, `balance: ours ${ours}, Stripe's ${theirs}`, ...(await unevenPayments(db))];
}

type Db = TestApp['db'];

async function clearingAccountOf(db: Db): Promise<number> {
  const row = await db
    .selectFrom('ledgerEntries')
    .where('account', '=', 'processor')
    .select((column) => column.fn.sum<string | number | null>('cents').as('cents'))
    .executeTakeFirstOrThrow();
  return Number(row.cents ?? 0);
}

interface Balance {
  available: { amount: number }[];
  pending: { amount: number }[];
}

async function balanceAt(sandboxUrl: string, secretKey: string): Promise<number> {
  const reply = await fetch(`${sandboxUrl}/v1/balance`, { headers: { authorization: `Bearer ${secretKey}` } });
  if (!reply.ok) throw new Error(`Stripe's sandbox answered ${reply.status}: ${await reply.text()}`);
  const balance: Balance = JSON.parse(await reply.text());
  return [...balance.available, ...balance.pending].reduce((sum, { amount }) => sum + amount, 0);
}

/** Payments whose charge, fee and refunds differ from their order's ledger entries. */
async function unevenPayments(db: Db): Promise<string[]> {
  const { rows } = await db.executeQuery<Discrepancy>(
    CompiledQuery.raw(`
      with theirs as (
        select coalesce(c.body->'metadata'->>'order_id', x.body->'metadata'->>'order_id') as order_id, sum(b.net) as cents
          from sandbox.balance_transactions b
          left join sandbox.objects c on c.id = b.source
          left join sandbox.objects x on x.id = c.body->>'charge'
         where b.account is null group by 1),
      ours as (
        select coalesce(r.order_id, d.order_id, l.subject_id)::text as order_id, sum(l.cents) as cents
          from ledger_entries l
          left join refunds r on r.event_id = l.event_id and r.id = l.subject_id
          left join disputes d on d.event_id = l.event_id and d.id = l.subject_id
         where l.account = 'processor' group by 1)
      select 'order' as kind, coalesce(t.order_id, o.order_id) as subject, o.cents::text as ours, t.cents::text as theirs
        from theirs t join ours o on o.order_id = t.order_id
       where o.cents <> t.cents limit 20`),
  );
  return rows.map((row) => `order ${row.subject}: ours ${row.ours}, Stripe's ${row.theirs}`);
}
