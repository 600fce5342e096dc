/** Removes personal data from rows that must stay. Amounts, states, timestamps and internal ids remain. */
import { sql } from 'kysely';
import { FORMER_SLUG_DAYS } from '#domain/accounts/organization-page.ts';
import type { Db } from '#server/platform/database.ts';
import type { Erasure } from '#server/platform/ports/erasure-log.ts';

/** The organizations in which the person works alone end with their account; the others go on without them. */
export interface OwnOrganization {
  organizationId: string;
  isAlone: boolean;
  /** Others are members, but none of them is an owner. */
  isLastOwner: boolean;
}

export async function organizationsOf(db: Db, userId: string): Promise<OwnOrganization[]> {
  const { rows } = await sql<OwnOrganization>`
    select m.organization_id,
           not exists (select from memberships x where x.organization_id = m.organization_id and x.user_id <> m.user_id) as is_alone,
           m.role = 'owner'
             and exists (select from memberships x where x.organization_id = m.organization_id and x.user_id <> m.user_id)
             and not exists (select from memberships x where x.organization_id = m.organization_id and x.user_id <> m.user_id
                                                         and x.role = 'owner') as is_last_owner
      from memberships m join organizations o on o.id = m.organization_id
     where m.user_id = ${userId} and o.erased_at is null
     order by m.organization_id`.execute(db);
  return rows;
}

/** The last owner of a team stays on its list, so that an operator can make someone else owner. */
async function leaveTeams(db: Db, userId: string): Promise<void> {
  for (const { organizationId, isAlone, isLastOwner } of await organizationsOf(db, userId)) {
    if (isAlone || isLastOwner) continue;
    await sql`delete from memberships where organization_id = ${organizationId} and user_id = ${userId}`.execute(db);
  }
}

/** Erases the account except for its id. The person's own purchases are erased like any other buyer's. */
export async function erasePerson(
  db: Db,
  { userId, erased, at }: { userId: string; erased: string; at: Date },
): Promise<void> {
  await leaveTeams(db, userId);
  await sql`
    delete from invitations i using users u where u.id = ${userId} and lower(i.email) = lower(u.email)`.execute(db);
  await sql`
    update users
       set email = ${erased} || ' ' || id, password_hash = '', email_verified_at = null, is_admin = false, first_name = null, last_name = null,
           date_of_birth = null, phone_number = null, erased_at = ${at}
     where id = ${userId}`.execute(db);
  await sql`delete from sessions where user_id = ${userId}`.execute(db);
  // Their team still sees what the key could do.
  await sql`update api_keys set revoked_at = ${at} where created_by = ${userId} and revoked_at is null`.execute(db);
  await sql`delete from email_links where user_id = ${userId}`.execute(db);
  await sql`delete from user_factors where user_id = ${userId}`.execute(db);
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(db);
  await sql`delete from factor_challenges where user_id = ${userId}`.execute(db);
  await sql`delete from known_browsers where user_id = ${userId}`.execute(db);
  await sql`delete from check_in_devices where id = ${userId}`.execute(db);
  await eraseEmailsOfAccount(db, { userId, erased });
}

/** Erases the organization except for its id and the published events, which the ledger refers to. Returns the photos' file names. */
export async function eraseOrganization(
  db: Db,
  { organizationId, erased, at }: { organizationId: string; erased: string; at: Date },
): Promise<string[]> {
  // The address stays closed to strangers: links to it are printed.
  await sql`
    insert into former_slugs (slug_hash, organization_id, until, closed_until)
    select slug_hash(slug), id, ${at}, ${at}::timestamptz + make_interval(days => ${FORMER_SLUG_DAYS})
      from organizations where id = ${organizationId} and slug is not null
        on conflict (slug_hash) do update
       set organization_id = excluded.organization_id, until = excluded.until, closed_until = excluded.closed_until`.execute(
    db,
  );
  const logo = await sql<{ fileName: string }>`
    select logo_file as file_name from organizations where id = ${organizationId} and logo_file is not null`.execute(
    db,
  );
  await sql`
    update organizations
       set name = null, slug = null, website = null, logo_file = null, accent = null, bio = null, type = null, tax_id_sealed = null, tax_id_last4 = null, token_count = 0, fee_waivers = 0,
           erased_at = ${at}
     where id = ${organizationId}`.execute(db);
  await sql`delete from invitations where organization_id = ${organizationId}`.execute(db);
  await sql`delete from api_keys where organization_id = ${organizationId}`.execute(db);
  await sql`delete from webhook_endpoints where organization_id = ${organizationId}`.execute(db);
  await sql`delete from webhook_readings where organization_id = ${organizationId}`.execute(db);
  // The Stripe account id stays: it is the destination of the payouts in the ledger.
  await sql`
    update payout_accounts set email = ${erased}, organization_name = 'erased', is_active = false
     where organization_id = ${organizationId}`.execute(db);
  await sql`delete from affiliate_codes where owner_id = ${organizationId} and event_id is null`.execute(db);
  await sql`
    update webhook_events w set payload = '{}'
      from payout_accounts a
     where a.organization_id = ${organizationId} and w.account_id = a.account_id and w.processed_at is not null`.execute(
    db,
  );
  await eraseCheckIns(db, organizationId);
  await erasePageTexts(db, organizationId);
  await sql`
    delete from order_guests g using events e where e.id = g.event_id and e.organization_id = ${organizationId}`.execute(
    db,
  );
  const { rows } = await sql<{ fileName: string }>`
    delete from event_photos p using events e
     where e.id = p.event_id and e.organization_id = ${organizationId} returning p.file_name`.execute(db);
  // Those that reports or operators refer to stay, as published events do.
  await sql`
    delete from events e
     where organization_id = ${organizationId} and not is_published
       and not exists (select from abuse_reports r where r.event_id = e.id)
       and not exists (select from payout_holds h where h.event_id = e.id)
       and not exists (select from operator_actions a where a.event_id = e.id)`.execute(db);
  return [...logo.rows, ...rows].map(({ fileName }) => fileName);
}

/** Dates, policy and prices stay, of what the pages showed. */
async function erasePageTexts(db: Db, organizationId: string): Promise<void> {
  await sql`
    update event_page_contents c
       set content = c.content || jsonb_build_object('title', '', 'subtitle', null, 'description', '', 'tickets', (
             select coalesce(jsonb_agg(t.type || '{"description": ""}' order by t.position), '[]')
               from jsonb_array_elements(c.content -> 'tickets') with ordinality as t (type, position)))
      from events e
     where e.id = c.event_id and e.organization_id = ${organizationId}`.execute(db);
  await sql`
    delete from event_texts t using events e where e.id = t.event_id and e.organization_id = ${organizationId}`.execute(
    db,
  );
}

/** Device names may contain the names of attendants. */
async function eraseCheckIns(db: Db, organizationId: string): Promise<void> {
  const own = sql`using events e where e.id = d.event_id and e.organization_id = ${organizationId}`;
  await sql`delete from offline_scans d ${own}`.execute(db);
  await sql`delete from check_in_devices d ${own}`.execute(db);
}

/**
 * Unsent emails are not sent any more. The keyed hash of the recipient stays for its day: deleting an account must not reset the
 * limit on emails to an address.
 */
const erasedColumns = (erased: string) => sql`
  to_address = ${erased}, params = '{}', state = case state when 'queued' then 'not-sent' else state end,
  subject_id = case when position('@' in subject_id) = 0 then subject_id
                    else split_part(subject_id, ' ', 1) || ' ' || id end`;

/** Includes emails to the account's previous addresses, and to one it never confirmed. */
async function eraseEmailsOfAccount(db: Db, { userId, erased }: { userId: string; erased: string }): Promise<void> {
  await sql`
    delete from inbox_messages
     where split_part(message_id, '@', 1) in (select id::text from email_outbox where account_id = ${userId})`.execute(
    db,
  );
  await sql`update email_outbox set ${erasedColumns(erased)} where account_id = ${userId}`.execute(db);
}

/** Erases emails up to `at`, except those about retained purchases, which `except` lists by subject. */
export async function eraseEmails(
  db: Db,
  { email, erased, at, except = [] }: { email: string; erased: string; at: Date; except?: readonly string[] },
): Promise<void> {
  // A message to an organizer that waits for the mail server names its sender, who got a copy.
  await sql`
    update email_outbox set params = '{}', state = 'not-sent'
     where kind = 'contact' and state = 'queued' and split_part(subject_id, ' ', 1) in (
       select subject_id from email_outbox
        where kind = 'contact-copy' and lower(to_address) = lower(${email}) and created_at <= ${at})`.execute(db);
  await sql`
    update email_outbox
       set ${erasedColumns(erased)}
     where lower(to_address) = lower(${email}) and created_at <= ${at}
       and not split_part(subject_id, ' ', 1) = any (${[...except]}::text[])`.execute(db);
  if (except.length === 0)
    await sql`delete from inbox_messages where lower(to_address) = lower(${email}) and received_at <= ${at}`.execute(
      db,
    );
}

/** A free order of the address that isn't completed yet can't be completed any more. */
export async function eraseProofs(db: Db, { email, at }: { email: string; at: Date }): Promise<void> {
  await sql`delete from email_proofs where lower(email) = lower(${email}) and sent_at <= ${at}`.execute(db);
}

export async function erasePurchases(
  db: Db,
  { email, erased, orders }: { email: string; erased: string; orders: readonly { eventId: string; orderId: string }[] },
): Promise<void> {
  const named = sql`unnest(${orders.map(({ eventId }) => eventId)}::text[], ${orders.map(({ orderId }) => orderId)}::uuid[])
                    as named (event_id, order_id)`;
  await sql`
    update orders o set buyer_email = ${erased}, buyer_name = null, session_url = null, cart_id = null, card_hash = null
      from ${named} where o.event_id = named.event_id and o.id = named.order_id and lower(o.buyer_email) = lower(${email})`.execute(
    db,
  );
  await sql`
    update tickets t set buyer_email = ${erased}
      from ${named} where t.event_id = named.event_id and t.order_id = named.order_id`.execute(db);
  await sql`
    delete from order_guests g using ${named} where g.event_id = named.event_id and g.order_id = named.order_id`.execute(
    db,
  );
  await sql`
    delete from wallet_passes w using ${named} join tickets t on t.event_id = named.event_id and t.order_id = named.order_id
     where w.event_id = t.event_id and w.ticket_id = t.id`.execute(db);
  await sql`
    delete from dispute_statements t using ${named} join disputes d on d.event_id = named.event_id and d.order_id = named.order_id
     where t.event_id = d.event_id and t.dispute_id = d.id`.execute(db);
  await sql`
    update webhook_events w set payload = '{}'
      from ${named} join orders o on o.event_id = named.event_id and o.id = named.order_id
     where (w.order_id = o.id or w.payment_id = o.payment_id) and w.processed_at is not null`.execute(db);
}

export async function insertErasure(db: Db, erasure: Erasure): Promise<void> {
  await db
    .insertInto('erasures')
    .values(erasure)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export function erasuresInDatabase(db: Db): Promise<Erasure[]> {
  return db.selectFrom('erasures').selectAll().orderBy('erasedAt').execute();
}

/** A page of all remaining buyer addresses; some exist only in an email. */
export async function buyersAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    (select distinct lower(buyer_email) as email from orders
      where buyer_email is not null and lower(buyer_email) > ${after} order by 1 limit ${limit})
    union
    (select distinct lower(buyer_email) from tickets
      where transferred_count > 0 and lower(buyer_email) > ${after} order by 1 limit ${limit})
    union
    (select distinct lower(to_address) from email_outbox
      where lower(to_address) > ${after} order by 1 limit ${limit})
    order by 1 limit ${limit}`.execute(db);
  return rows.map(({ email }) => email);
}

export function organizersAfter(db: Db, after: string, limit: number) {
  return db
    .selectFrom('users')
    .where('id', '>', after)
    .where('erasedAt', 'is', null)
    .select(['id as userId', 'email', 'createdAt'])
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function organizationsAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const organizations = db.selectFrom('organizations').where('id', '>', after).where('erasedAt', 'is', null);
  const rows = await organizations.select('id').orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}
