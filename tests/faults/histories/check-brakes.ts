/** Checks that nothing passed a brake while it was on, and that each changed only when money moves. */
import { sql } from 'kysely';
import type { PayoutBrakes } from '#domain/payouts/brakes.ts';
import type { AppAccess, Brake, History } from './history.ts';

/** What was under way when the brake was put on may finish. Between two rounds, minutes to days pass. */
const UNDER_WAY_MS = 5_000;

interface Happened {
  eventId: string;
  at: Date;
}

export async function brokenBrakes(
  app: AppAccess,
  histories: readonly History[],
  brakes: Partial<PayoutBrakes>,
): Promise<string[]> {
  return [
    ...(await passedByOperators(app, histories)),
    ...(await wrongFirstPayouts(app, brakes)),
    ...(await wrongReserves(app, brakes)),
    ...(await transfersReversedTooEarly(app)),
  ];
}

async function passedByOperators({ db }: AppAccess, histories: readonly History[]): Promise<string[]> {
  const ordered = await db.selectFrom('orders').select(['eventId', 'createdAt as at']).execute();
  const claimed = await db.selectFrom('payouts').select(['eventId', 'requestedAt as at']).execute();
  const { rows: sent } = await sql<Happened>`
    select body->'metadata'->>'event_id' as event_id, to_timestamp((body->>'created')::float8) as at
      from sandbox.objects where kind = 'transfer'`.execute(db);
  return histories.flatMap(({ name, eventId, organizer, brakes }) => {
    const ofOrganizer = histories.filter((other) => other.organizer === organizer).map((other) => other.eventId);
    return brakes.flatMap((brake) => {
      const eventIds = brake.kind === 'suspension' ? ofOrganizer : [eventId];
      const during = (all: readonly Happened[], what: string) =>
        all
          .filter((one) => eventIds.includes(one.eventId) && isDuring(brake, one.at))
          .map(({ at }) => `${name}: ${what} at ${at.toISOString()}, during ${JSON.stringify(brake)}`);
      return [
        ...(brake.kind === 'held payouts' ? [] : during(ordered, 'an order began')),
        ...(brake.kind === 'stopped sales' ? [] : during(claimed, 'a payout was claimed')),
        ...(brake.kind === 'stopped sales' ? [] : during(sent, 'money was sent')),
      ];
    });
  });
}

const isDuring = ({ since, until }: Brake, at: Date) =>
  at.getTime() > since.getTime() + UNDER_WAY_MS && (!until || at.getTime() < until.getTime() - UNDER_WAY_MS);

/** Of claims at the same moment, one was the first. */
async function wrongFirstPayouts(
  { db }: AppAccess,
  { firstCapCents = null, firstDelayDays = 0 }: Partial<PayoutBrakes>,
): Promise<string[]> {
  const { rows } = await sql<{ organizationId: string }>`
    with claimed as (
      select e.organization_id, p.*, min(p.requested_at) over (partition by e.organization_id) as first_at
        from payouts p join events e on e.id = p.event_id)
    select organization_id from claimed c
     where requested_at < first_at + interval '1 second'
     group by organization_id
    having not bool_or(cents <= coalesce(${firstCapCents}::bigint, cents)
                       and coalesce(send_after, requested_at) >= requested_at + make_interval(days => ${firstDelayDays}))`.execute(
    db,
  );
  const { rows: early } = await sql<{ eventId: string }>`
    select p.event_id
      from payouts p join sandbox.objects t on t.kind = 'transfer' and t.id = p.transfer_id
     where to_timestamp((t.body->>'created')::float8) < date_trunc('second', p.send_after)`.execute(db);
  return [
    ...rows.map(({ organizationId }) => `the first payout of organization ${organizationId} has no cap or no delay`),
    ...early.map(({ eventId }) => `a payout of event ${eventId} was sent before its time`),
  ];
}

async function wrongReserves({ db }: AppAccess, { reservePercent = 0 }: Partial<PayoutBrakes>): Promise<string[]> {
  const { rows } = await sql<{ eventId: string; kept: number; cents: number }>`
    select p.event_id, coalesce(sum(r.cents) filter (where r.kind = 'reserve'), 0)::bigint as kept,
           (p.cents + coalesce(sum(r.cents), 0))::bigint as cents
      from payouts p left join payout_reserves r on r.event_id = p.event_id and r.payout_id = p.id
     where p.seq = 1
     group by p.event_id, p.id, p.cents
    having coalesce(sum(r.cents) filter (where r.kind = 'reserve'), 0)
           <> floor((p.cents + coalesce(sum(r.cents), 0)) * ${reservePercent}::int / 100)`.execute(db);
  return rows.map(({ eventId, kept, cents }) => `${kept} of ${cents} were kept of the payout of event ${eventId}`);
}

/** Disputes and refunds take what a payout held back first. Nothing that is taken comes back. */
async function transfersReversedTooEarly({ db }: AppAccess): Promise<string[]> {
  const { rows } = await sql<{ eventId: string; cents: number }>`
    select t.event_id, (r.cents - r.taken_cents)::bigint as cents
      from transfer_reversals t
      join payout_reserves r on r.event_id = t.event_id and r.taken_cents < r.cents
      join payouts p on p.event_id = r.event_id and p.id = r.payout_id and p.requested_at <= t.created_at
      left join payouts later on later.event_id = r.event_id and later.id = r.paid_by
     where t.gross_cents - t.fees_cents > t.reserve_cents
       and (later.id is null or later.requested_at > t.created_at)`.execute(db);
  return rows.map(({ eventId, cents }) => `a transfer of event ${eventId} was reversed while ${cents} were held back`);
}
