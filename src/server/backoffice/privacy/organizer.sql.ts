/** What blocks deleting an organizer, and the queries that export an organizer's data. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { BEFORE_ALL_IDS } from '#server/platform/ids.ts';

export interface OrganizationStanding {
  hasOpenEvent: boolean;
  hasRefundUnderWay: boolean;
  hasOpenDispute: boolean;
  hasPayoutUnderWay: boolean;
  hasReversal: boolean;
}

/** Requires locks on the events and the organization, so that the answer holds until the transaction ends. */
export async function organizationStandingOf(db: Db, organizationId: string): Promise<OrganizationStanding> {
  const own = sql`join events e on e.id = x.event_id where e.organization_id = ${organizationId}`;
  const { rows } = await sql<OrganizationStanding>`
    select exists (select from events where organization_id = ${organizationId} and is_published and cancelled_at is null
                    and settles_at(latest_ends_at) > business_now()) as has_open_event,
           exists (select from refunds x ${own}
                    and (x.state = 'claimed' or x.state = 'sent' and x.cents > 0 and x.settled_at is null))
             or exists (select from tickets x ${own}
                         and (x.state = 'refunding' or e.cancelled_at is not null and counts_as_sold(x.state)))
             or exists (select from orders x ${own} and x.state in ('reserved', 'needs-review')) as has_refund_under_way,
           exists (select from disputes x ${own} and x.state in ('inquiry', 'open')) as has_open_dispute,
           exists (select from payouts x ${own} and x.state <> 'paid')
             or exists (select from payout_reserves x ${own} and x.paid_by is null and x.taken_cents < x.cents) as has_payout_under_way,
           exists (select from transfer_reversals x ${own} and x.state = 'claimed')
             -- Costs of refunds count as deducted first. What is left of them is no reason to keep an account.
             or exists (select from ledger_entries x ${own} and x.account = 'receivables'
                         having least(sum(x.cents), coalesce(sum(x.cents) filter (where x.kind not in ('refund-costs', 'payout')), 0)) > 0) as has_reversal`.execute(
    db,
  );
  return rows[0] ?? throwNoRow();
}

function throwNoRow(): never {
  throw new Error('no row came back');
}

/** Returns the password hash. Locks the row if called in a transaction. */
export async function lockOrganizerToErase(db: Db, userId: string): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('erasedAt', 'is', null)
    .select('passwordHash')
    .forUpdate()
    .executeTakeFirst();
  return user?.passwordHash ?? null;
}

export async function lockEventsOf(db: Db, organizationId: string): Promise<void> {
  await sql`select id from events where organization_id = ${organizationId} order by id for no key update`.execute(db);
}

export function settledEventsOf(db: Db, organizationId: string) {
  return db
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .where('isPublished', '=', true)
    .where('cancelledAt', 'is', null)
    .select([
      'id',
      'organizationId',
      'processingFeeWaived',
      'feeTerms',
      'latestEndsAt',
      'cancelledAt',
      'payoutRequestedAt',
    ])
    .execute();
}

export async function personOf(db: Db, userId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<Record<string, unknown>>`
    select email, email_verified_at, first_name, last_name, date_of_birth, adult_confirmed_at, phone_number, is_admin, created_at
      from users where id = ${userId}`.execute(db);
  return rows[0] ?? {};
}

export async function organizationOf(db: Db, organizationId: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<Record<string, unknown>>`
    select o.name as organization_name, o.bio as organization_bio, o.slug, o.website, o.logo_file, o.accent, o.is_page_public, o.type as organization_type, o.tax_id_last4,
           o.token_count, o.fee_waivers, o.suspended_at, o.suspend_reason, a.account_id as payout_account, a.is_active as is_payout_account_active,
           a.restricted_at as payout_account_restricted_at, a.closed_at as payout_account_closed_at,
           a.email as payout_account_email, a.organization_name as payout_account_name
      from organizations o left join payout_accounts a on a.organization_id = o.id
     where o.id = ${organizationId}`.execute(db);
  return rows[0] ?? {};
}

export interface PageQuery {
  eventIds: string[];
  userId: string;
  organizationId: string;
  email: string;
  after: string;
  limit: number;
}

type Query = (of: PageQuery) => RawBuilder<Record<string, unknown> & { key: string }>;

export const personQueries: Record<string, Query> = {
  sessions: ({ userId, after, limit }) => sql`
    select id as key, browser_label, created_at, last_seen_at, expires_at from sessions
     where user_id = ${userId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  emailLinks: ({ userId, after, limit }) => sql`
    select encode(token_hash, 'hex') as key, purpose, email, created_at, expires_at, used_at from email_links
     where user_id = ${userId} and encode(token_hash, 'hex') > ${after} order by 1 limit ${limit}`,
  secondFactors: ({ userId, after, limit }) => sql`
    select id as key, kind, name, created_at, last_used_at from user_factors
     where user_id = ${userId} and confirmed_at is not null and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  knownBrowsers: ({ userId, after, limit }) => sql`
    select encode(browser_hash, 'hex') as key, last_seen_at from known_browsers
     where user_id = ${userId} and encode(browser_hash, 'hex') > ${after} order by 1 limit ${limit}`,
  memberships: ({ userId, after, limit }) => sql`
    select organization_id as key, organization_id, role, joined_at from memberships
     where user_id = ${userId} and organization_id > ${after || BEFORE_ALL_IDS} order by 1 limit ${limit}`,
  audit: ({ userId, after, limit }) => sql`
    select id as key, at, action, subject, event_id from audit_events
     where actor_id = ${userId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  emails: ({ userId, email, after, limit }) => sql`
    select id as key, kind, state, created_at, sent_at from email_outbox
     where (account_id = ${userId} or lower(to_address) = lower(${email})) and id > ${after || BEFORE_ALL_IDS}
     order by id limit ${limit}`,
};

/** Data of the organization, for its owners. */
export const organizationQueries: Record<string, Query> = {
  affiliateCodes: ({ organizationId, after, limit }) => sql`
    select code as key, code, created_at, event_id, redeemed_at, rewarded_at from affiliate_codes
     where owner_id = ${organizationId} and code > ${after} order by code limit ${limit}`,
  redeemedCodes: ({ organizationId, after, limit }) => sql`
    select code as key, event_id, redeemed_at from affiliate_codes
     where redeemed_by = ${organizationId} and code > ${after} order by code limit ${limit}`,
  invitations: ({ organizationId, after, limit }) => sql`
    select id as key, email, role, created_at, expires_at from invitations
     where organization_id = ${organizationId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  apiKeys: ({ organizationId, after, limit }) => sql`
    select id as key, name, scopes, only_event_ids, created_at, expires_at, last_used_at, revoked_at from api_keys
     where organization_id = ${organizationId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  webhookEndpoints: ({ organizationId, after, limit }) => sql`
    select id as key, url, types, only_event_ids, created_at, ended_at, end_reason from webhook_endpoints
     where organization_id = ${organizationId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  events: ({ organizationId, after, limit }) => sql`
    select id as key, id as event_id, series_id, title, subtitle, description, street, city, state, postal_code, venue_name, timezone, starts_at, ends_at,
           participants, latitude, longitude, is_listed, processing_fee_waived, published_at, cancelled_at, created_at from events
     where organization_id = ${organizationId} and id > ${after} order by id limit ${limit}`,
};

/** Data of one event, ordered by key. */
export const eventQueries: Record<string, (eventId: string, after: string, limit: number) => ReturnType<Query>> = {
  pageVersions: (eventId, after, limit) => sql`
    select lpad(v.version::text, 10, '0') as key, v.event_id, v.version, v.changed_at, c.content
      from event_page_versions v join event_page_contents c on c.event_id = v.event_id and c.hash = v.hash
     where v.event_id = ${eventId} and lpad(v.version::text, 10, '0') > ${after} order by 1 limit ${limit}`,
  ticketTypes: (eventId, after, limit) => sql`
    select id as key, ticket_types.* from ticket_types
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  sharedCapacities: (eventId, after, limit) => sql`
    select id as key, event_id, name, capacity, reserved from shared_capacities
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  sharedCapacityMembers: (eventId, after, limit) => sql`
    select ticket_type_id || ' ' || shared_capacity_id as key, event_id, ticket_type_id, shared_capacity_id, units
      from shared_capacity_members
     where event_id = ${eventId} and ticket_type_id || ' ' || shared_capacity_id > ${after} order by 1 limit ${limit}`,
  promoCodes: (eventId, after, limit) => sql`
    select id as key, event_id, code, kind, value, is_for_all, max_uses, uses, max_per_order, valid_from, valid_until, created_at, ended_at
      from promo_codes
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  trackingLinks: (eventId, after, limit) => sql`
    select id as key, event_id, name, slug, created_at, removed_at,
           (select coalesce(sum(v.views), 0)::int from link_views v where v.event_id = l.event_id and v.link_id = l.id) as views
      from tracking_links l
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  promoCodeTypes: (eventId, after, limit) => sql`
    select promo_code_id || ' ' || ticket_type_id as key, event_id, promo_code_id, ticket_type_id from promo_code_types
     where event_id = ${eventId} and promo_code_id || ' ' || ticket_type_id > ${after} order by 1 limit ${limit}`,
  photos: (eventId, after, limit) => sql`
    select id as key, event_id, file_name, position, alt_text, focus_x, focus_y, is_cover, created_at from event_photos
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  orders: (eventId, after, limit) => sql`
    select id as key, event_id, id as order_id, state, total_cents, received_cents, buyer_email, buyer_name, page_version, link_id, created_at, paid_at
      from orders
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  tickets: (eventId, after, limit) => sql`
    select id as key, event_id, order_id, ticket_name, price_cents, buyer_email, state, scanned_at, disputed_at, issued_at
      from tickets where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  guestForms: (eventId, after, limit) => sql`
    select lpad(version::text, 10, '0') as key, event_id, version, asks_names, questions, created_at from guest_forms
     where event_id = ${eventId} and lpad(version::text, 10, '0') > ${after} order by 1 limit ${limit}`,
  taxes: (eventId, after, limit) => sql`
    select to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as key, event_id, since, rate, label from event_taxes
     where event_id = ${eventId} and to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') > ${after} order by 1 limit ${limit}`,
  guests: (eventId, after, limit) => sql`
    select order_id || ' ' || lpad(position::text, 4, '0') as key, event_id, order_id, position, name, answers, door_note from order_guests
     where event_id = ${eventId} and (order_id, position) > (${after.split(' ')[0] || BEFORE_ALL_IDS}::uuid, ${Number(after.split(' ')[1] ?? -1)})
     order by order_id, position limit ${limit}`,
  checkInDevices: (eventId, after, limit) => sql`
    select id as key, event_id, name, entered_at, ends_at, seen_at, removed_at from check_in_devices
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  offlineScans: (eventId, after, limit) => sql`
    select o.id as key, o.event_id, d.name as device, o.scanned_at, o.received_at, o.result
      from offline_scans o left join check_in_devices d on d.event_id = o.event_id and d.id = o.device_id
     where o.event_id = ${eventId} and o.id > ${after || BEFORE_ALL_IDS} order by o.id limit ${limit}`,
  refunds: (eventId, after, limit) => sql`
    select id as key, event_id, order_id, cents, reason, note, state, created_at, settled_at from refunds
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  disputes: (eventId, after, limit) => sql`
    select id as key, event_id, order_id, cents, state, reason, opened_at, closed_at from disputes
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  transferReversals: (eventId, after, limit) => sql`
    select id as key, event_id, order_id, payout_id, gross_cents, fees_cents, reserve_cents, state, created_at, settled_at from transfer_reversals
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  operatorActions: (eventId, after, limit) => sql`
    select id as key, event_id, action, kind, subject, cents, note, at from operator_actions
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  payoutReserves: (eventId, after, limit) => sql`
    select id as key, event_id, payout_id, kind, cents, taken_cents, due_at, paid_by from payout_reserves
     where event_id = ${eventId} and id::text > ${after} order by id::text limit ${limit}`,
  payouts: (eventId, after, limit) => sql`
    select id as key, event_id, state, cents, statement, requested_at, send_after, paid_at from payouts
     where event_id = ${eventId} and id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}`,
  ledger: (eventId, after, limit) => sql`
    select transaction_id || ' ' || account as key, event_id, kind, account, cents, created_at from ledger_entries
     where event_id = ${eventId} and (transaction_id, account) > (${after.split(' ')[0] || BEFORE_ALL_IDS}::uuid, ${after.split(' ')[1] ?? ''})
     order by transaction_id, account limit ${limit}`,
};
