/** Passes that were handed out: what they show, and whether that has changed. */
import { type RawBuilder, sql } from 'kysely';
import { CLAIM_MINUTES, type PassKind } from '#domain/sales/wallet-passes.ts';
import type { TicketState } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';
import type { WalletEvent } from '#server/platform/ports/wallets.ts';

export interface PassRef {
  eventId: string;
  kind: PassKind;
  passId: string;
}

export interface PassToHandOut extends PassRef {
  ticketId: string | null;
  transferredCount: number;
}

/** What a pass shows now, with what we knew of it. Of another holder's ticket there is nothing. */
export interface FoundPass extends PassRef, Omit<WalletEvent, 'eventUrl'> {
  transferredCount: number;
  cancelledAt: Date | null;
  /** Of an event there is no ticket. */
  ticket: {
    ticketName: string;
    confirmationNumber: string | null;
    state: TicketState;
    disputedAt: string | null;
    transferredCount: number;
    position: number;
    of: number;
    isAddOn: boolean;
  } | null;
  /** As last noticed, and as it is. */
  fingerprint: string;
  shown: string;
  updatedAt: Date;
}

/** Joins what the passes `p` show. */
const shownBy = sql`
  join events e on e.id = p.event_id
  left join organizations o on o.id = e.organization_id
  left join tickets t on t.event_id = p.event_id and t.id = p.ticket_id`;

/**
 * Differs whenever a pass shows something else. A ticket that has another holder shows nothing any more, so that the one before
 * learns nothing of it. Times as numbers: as text they depend on the connection.
 */
const fingerprint: RawBuilder<string> = sql`
  case when t.transferred_count > p.transferred_count then 'transferred'
       else md5(jsonb_build_array(
         case when p.kind <> 'google' then jsonb_build_array(
           e.title, o.name, extract(epoch from e.starts_at), extract(epoch from e.ends_at), extract(epoch from e.check_in_opens_at),
           e.timezone, e.street, e.city, e.state, e.postal_code, e.venue_name) end,
         case when p.kind <> 'google-event' then jsonb_build_array(
           t.ticket_name, case when counts_as_sold(t.state) then 'sold' else t.state end, t.disputed_at is not null,
           e.cancelled_at is not null) end)::text) end`;

/**
 * A change is later than the one before by a second at least, because Last-Modified has whole seconds. While a process notifies
 * the wallets, the time shows it that there is more.
 */
const changed = sql`
  updated_at = greatest(date_trunc('second', business_now()), p.updated_at + interval '1 second'),
  send_at = least(coalesce(p.send_at, business_now()), business_now() + make_interval(mins => ${CLAIM_MINUTES}))`;

/** Google's link may be followed later, when the ticket has changed: then its wallet learns that sooner. */
export async function insertPass(db: Db, pass: PassToHandOut): Promise<void> {
  await sql`
    insert into wallet_passes as known
      (event_id, kind, pass_id, ticket_id, transferred_count, fingerprint, handed_out_at, updated_at)
    select p.event_id, p.kind, p.pass_id, p.ticket_id, p.transferred_count, ${fingerprint}, n.at, n.at
      from (values (${pass.eventId}, ${pass.kind}, ${pass.passId}, ${pass.ticketId}::uuid, ${pass.transferredCount}::smallint))
             as p (event_id, kind, pass_id, ticket_id, transferred_count)
     cross join (select date_trunc('second', business_now()) as at) as n
           ${shownBy}
        on conflict (event_id, kind, pass_id) do update
       set send_at = business_now() + make_interval(mins => ${CLAIM_MINUTES})
     where known.kind <> 'apple' and known.send_at > business_now() + make_interval(mins => ${CLAIM_MINUTES})`.execute(
    db,
  );
}

export async function findPass(db: Db, { eventId, kind, passId }: PassRef): Promise<FoundPass | undefined> {
  const { rows } = await sql<FoundPass>`
    select p.event_id, p.kind, p.pass_id, p.transferred_count, p.fingerprint, p.updated_at, ${fingerprint} as shown,
           e.title, o.name as seller, e.starts_at, e.ends_at, e.check_in_opens_at as doors_at, e.timezone, e.street, e.city, e.state,
           e.postal_code, e.venue_name, e.cancelled_at,
           case when t.id is not null then jsonb_build_object(
             'ticketName', t.ticket_name, 'state', t.state, 'disputedAt', t.disputed_at, 'transferredCount', t.transferred_count,
             'confirmationNumber', case when t.transferred_count = p.transferred_count then t.confirmation_number end,
             'position', n.position, 'of', n.order_size, 'isAddOn', y.is_add_on) end as ticket
      from wallet_passes p
           ${shownBy}
      left join ticket_types y on y.event_id = t.event_id and y.id = t.ticket_type_id
      left join lateral tickets_of_order(t.event_id, t.order_id) n on n.ticket_id = t.id
     where p.event_id = ${eventId} and p.kind = ${kind} and p.pass_id = ${passId}`.execute(db);
  return rows[0];
}

/** Apple's phones don't name the event. */
export async function findApplePass(db: Db, passId: string): Promise<PassRef | undefined> {
  return db
    .selectFrom('walletPasses')
    .where('kind', '=', 'apple')
    .where('passId', '=', passId)
    .select(['eventId', 'kind', 'passId'])
    .executeTakeFirst();
}

/** Records a change that a reader noticed. Undefined if the pass is no longer as it was read. */
export async function recordChange(
  db: Db,
  { eventId, kind, passId, fingerprint: before, shown }: FoundPass,
): Promise<Date | undefined> {
  const { rows } = await sql<{ updatedAt: Date }>`
    update wallet_passes p
       set fingerprint = ${shown}, ${changed}
     where event_id = ${eventId} and kind = ${kind} and pass_id = ${passId} and fingerprint = ${before}
    returning updated_at`.execute(db);
  return rows[0]?.updatedAt;
}

export interface DetectedPage {
  /** Null if there are no more passes. */
  last: PassRef | null;
  changed: number;
}

/** Compares a page of the passes of events that aren't long over with what they show now, in the order of their keys. */
export async function detectChanges(
  db: Db,
  { after, limit, days }: { after: PassRef | null; limit: number; days: number },
): Promise<DetectedPage> {
  const { rows } = await sql<DetectedPage>`
    with page as (
           select p.event_id, p.kind, p.pass_id, p.fingerprint, ${fingerprint} as shown
             from wallet_passes p
                  ${shownBy}
            where (p.event_id, p.kind, p.pass_id) > (${after?.eventId ?? ''}, ${after?.kind ?? ''}, ${after?.passId ?? ''})
              and e.latest_ends_at > business_now() - make_interval(days => ${days})
            order by p.event_id, p.kind, p.pass_id limit ${limit}),
         noticed as (
           update wallet_passes p set fingerprint = g.shown, ${changed}
             from page g
            where p.event_id = g.event_id and p.kind = g.kind and p.pass_id = g.pass_id and p.fingerprint = g.fingerprint
              and g.shown <> g.fingerprint
           returning 1)
    select (select jsonb_build_object('eventId', event_id, 'kind', kind, 'passId', pass_id)
              from page order by event_id desc, kind desc, pass_id desc limit 1) as last,
           (select count(*)::int from noticed) as changed`.execute(db);
  return rows[0] ?? { last: null, changed: 0 };
}
