/** What a deletion might miss: undelivered emails, former addresses, and rows restored from a backup. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changeEmail, confirmEmailChange, login, profile, register, saveAccountInfo } from '#contract/app/accounts.ts';
import { deleteAccount, deleteMyRecords, myRecordsFile, requestRecordsLink } from '#contract/app/privacy.ts';
import { retentionDays } from '#domain/retention.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { replayErasures } from '#server/backoffice/privacy/replay-erasures.ts';
import { sendEmail } from '#server/emails/send-email.ts';
import { backUpAccount } from '#tests/support/account-backup.ts';
import { cpuTimeMs } from '#tests/support/cpu-time.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { openPayout } from '#tests/support/money.ts';
import {
  accountInfo,
  buyTickets,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  linkTo,
  newOrganizer,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const remove = (visitor: Visitor) => visitor.call(deleteAccount, { password: PASSWORD });

/** All tables as one text, except those of Stripe's sandbox. */
async function wholeDatabase(): Promise<string> {
  const { rows } = await sql<{ text: string | null }>`
    select query_to_xml(format('select * from %I.%I', table_schema, table_name), false, false, '')::text as text
      from information_schema.tables
     where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`.execute(app.db);
  return rows
    .map(({ text }) => text)
    .join('\n')
    .toLowerCase();
}

async function linkIn(email: string, link: RegExp): Promise<string> {
  return decodeURIComponent(await linkTo(app, email, link));
}

async function forget(email: string) {
  expectOk(await app.call(requestRecordsLink, { email }));
  const token = await linkIn(email, /\/privacy\/([\w%-]{20,})/);
  return expectOk(await app.call(deleteMyRecords, { token }));
}

/** Simulates a mail server that rejected every attempt. */
async function makeUndeliverable(email: string, kind: string, params: object): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update email_outbox set state = 'queued', sent_at = null, params = ${JSON.stringify(params)}::jsonb
     where lower(to_address) = lower(${email}) and kind = ${kind} returning id`.execute(app.db);
  expect(rows.length).toBeGreaterThan(0);
  return rows.map(({ id }) => id);
}

/** Changes the account's address. */
async function moveAccount({ visitor, email }: { visitor: Visitor; email: string }) {
  const newEmail = `moved-${email}`;
  expectOk(await visitor.call(changeEmail, { newEmail }));
  expectOk(await app.call(confirmEmailChange, { token: await linkIn(newEmail, /\?token=([\w%-]{20,})/) }));
  const moved = app.visitor();
  expectOk(await moved.call(login, { email: newEmail, password: PASSWORD }));
  return { visitor: moved, email: newEmail };
}

const userWith = async (email: string) =>
  (await sql<{ id: string }>`select id from users where email = ${email}`.execute(app.db)).rows[0] ?? { id: '' };

describe('a former account address', () => {
  it('is deleted each time it is registered again', async () => {
    const { visitor, email } = await newOrganizer(app);
    expectOk(await remove(visitor));
    for (let times = 0; times < 2; times++) {
      expectOk(await app.call(register, { email, password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true }));
      const again = app.visitor();
      expectOk(await again.call(login, { email, password: PASSWORD }));
      expect(await remove(again)).toMatchObject({ status: 200 });
    }
  });

  it('is removed from emails after the account has moved to another address', async () => {
    const former = await verifiedOrganizer(app);
    const { visitor, email } = await moveAccount(former);
    const { id } = await userWith(email);
    // Undo links are removed after a few days, and with them the record of the old address.
    await sql`delete from email_links where user_id = ${id}`.execute(app.db);
    await makeUndeliverable(former.email, 'email-change-alert', { token: 'a-token', newEmail: email });

    expectOk(await remove(visitor));

    const database = await wholeDatabase();
    expect(database).not.toContain(former.email);
    expect(database).not.toContain('a-token');
  });
});

describe('an undeliverable email', () => {
  it('keeps no address when the buyer is deleted, and its job ends without an error', async () => {
    const email = 'undeliverable@example.com';
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(1), email);
    await openPayout(app, event);
    await app.settle();
    const ids = await makeUndeliverable(email, 'tickets', { eventId: event.eventId, buyerEmail: email });

    expect(await forget(email)).toMatchObject({ deleted: 1, retained: 0 });

    expect(await wholeDatabase()).not.toContain(email);
    const inboxIds = async () => (await sql`select id from inbox_messages`.execute(app.db)).rows.length;
    const before = await inboxIds();
    for (const emailId of ids) await sendEmail(app.deps, { emailId });
    expect(await inboxIds()).toBe(before);
    const open = sql`select id from email_outbox where state = 'queued' and id = any (${ids}::uuid[])`;
    expect((await open.execute(app.db)).rows).toEqual([]);
  });

  it('is purged at the same age as delivered ones', async () => {
    const { email } = await newOrganizer(app);
    await emailsTo(app, email);
    const ids = await makeUndeliverable(email, 'verify-email', { token: 'token-of-a-lost-email' });
    const emptied = async () => {
      await purge(app.deps, { pageSize: 1 });
      const { rows } = await sql<{ text: string; isOpen: boolean }>`
        select to_address || params::text as text, state = 'queued' as is_open from email_outbox
         where id = any (${ids}::uuid[])`.execute(app.db);
      return rows;
    };

    await app.advance({ days: retentionDays.emailAddress - 1 });
    const meanwhile = await emptied();
    await app.advance({ days: 2 });

    expect(meanwhile).toMatchObject([{ text: expect.stringContaining('token-of-a-lost-email'), isOpen: true }]);
    expect(await emptied()).toEqual([{ text: '{}', isOpen: false }]);
    for (const emailId of ids) await sendEmail(app.deps, { emailId });
  });
});

describe('an organizer with tickets of their own', () => {
  it('still gets emails about them after deleting the account, until they are deleted too', async () => {
    const { visitor, email } = await newOrganizer(app);
    const { eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, generalAdmission(1), email);
    await app.settle();
    const [emailId = ''] = await makeUndeliverable(email, 'tickets', { eventId });

    expectOk(await remove(visitor));
    await sendEmail(app.deps, { emailId });

    const { rows } = await sql<{ kind: string }>`
      select kind from email_outbox where to_address = ${email} and state = 'sent'`.execute(app.db);
    expect(rows).toEqual([{ kind: 'tickets' }]);
  });
});

describe('a restored backup', () => {
  it('excludes an organizer stored under another address than the deleted one', async () => {
    const former = await verifiedOrganizer(app);
    expectOk(await former.visitor.call(saveAccountInfo, accountInfo));
    const backup = await backUpAccount(app.db, former.email);
    await app.advance({ minutes: 1 });
    const { visitor } = await moveAccount(former);
    expectOk(await remove(visitor));
    await sql`delete from erasures`.execute(app.db);
    await backup.restore();

    await replayErasures(app.deps);

    const [person] = (await sql`select * from users where id = ${backup.userId}`.execute(app.db)).rows;
    const organization = sql`select * from organizations where id = ${backup.organizationId}`;
    expect(person).toMatchObject({ firstName: null });
    expect((await organization.execute(app.db)).rows).toMatchObject([
      { name: null, taxIdSealed: null, taxIdLast4: null },
    ]);
    expect((await userWith(former.email)).id).toBe('');
  });

  it('excludes a buyer who appears only in an email', async () => {
    const email = 'only-an-email@example.com';
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(1), email);
    await openPayout(app, event);
    expectOk(await event.visitor.call(profile, {}));
    await forget(email);
    await sql`delete from erasures`.execute(app.db);
    await sql`update email_outbox set to_address = ${email}
               where kind = 'tickets' and params ->> 'eventId' = ${event.eventId} or to_address like 'erased %'`.execute(
      app.db,
    );

    await replayErasures(app.deps);

    expect(await wholeDatabase()).not.toContain(email);
  });

  it('is brought up to date quickly, however many were deleted', async () => {
    const many = 20_000;
    const line = (n: number) => ({
      id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
      kind: 'buyer' as const,
      addressHash: n.toString(16).padStart(32, '0'),
      accountHash: null,
      erasedAt: new Date('2026-01-01T00:00:00Z'),
    });
    const lines = Array.from({ length: many }, (_, n) => line(n));
    await sql`insert into erasures (id, kind, address_hash, erased_at)
              select id, 'buyer', hash, '2026-01-01'
                from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map((one) => one.addressHash)}::text[]) as x (id, hash)`.execute(
      app.db,
    );
    await app.deps.erasures.append(lines);
    await replayErasures(app.deps);

    const since = cpuTimeMs();
    await replayErasures(app.deps);

    expect(cpuTimeMs() - since).toBeLessThan(2_000);
  });
});

describe('GET /api/protected/my-records', () => {
  it('includes the open links, the data sent to Stripe, and operator actions', async () => {
    const event = await eventOnSale(app);
    const { id } = await userWith(event.email);
    await sql`insert into operator_actions (id, operator_id, action, kind, subject, event_id, cents, note, at)
              values (gen_random_uuid(), ${(await userWith((await newOrganizer(app)).email)).id}, 'retry', 'refund', 'x', ${event.eventId}, 0, 'a note', business_now())`.execute(
      app.db,
    );
    expectOk(await event.visitor.call(changeEmail, { newEmail: 'wished-for@example.com' }));

    const file = JSON.parse(await (await event.visitor.fetch(myRecordsFile.path)).text());

    expect(id).not.toBe('');
    expect(file.profile).toMatchObject({
      payoutAccountEmail: event.email,
      payoutAccountName: accountInfo.organizationName,
    });
    expect(file.emailLinks).toContainEqual(
      expect.objectContaining({ purpose: 'change-email', email: 'wished-for@example.com' }),
    );
    expect(file.operatorActions).toMatchObject([{ action: 'retry', eventId: event.eventId, note: 'a note' }]);
    expect(file.transferReversals).toEqual([]);
  });
});
