/** Strangers who use the product to fill another person's mailbox. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { deleteAccount, requestRecordsLink } from '#contract/app/privacy.ts';
import { invite } from '#contract/app/team.ts';
import { SAME_LINK_PER_HOUR, STRANGER_EMAILS_PER_DAY, STRANGER_EMAILS_PER_HOUR } from '#domain/limits.ts';
import { resetLinkSent, verificationSent } from '#messages/accounts.ts';
import { recordsLinkSent } from '#messages/privacy.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { linkToken } from '#server/platform/outbox/link-token.ts';
import { queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import {
  accountInfo,
  buyTickets,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  newOrganizer,
  PASSWORD,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let eventId: string;
beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1 });
  ({ eventId } = await eventOnSale(app));
});
afterAll(() => app.close());

let victims = 0;
const newVictim = () => `victim-${++victims}@example.org`;
const tagged = (address: string, tag: string) => address.replace('@', `+${tag}@`);

const register = (email: string) =>
  app.visitor().call(contract.register, { email, password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true });

/** Everything that arrives in the mailbox, whichever spelling of its address was used. */
async function arrivedAt(victim: string): Promise<string[]> {
  await app.settle();
  const { rows } = await sql<{ kind: string }>`
    select m.kind from inbox_messages i join email_outbox m on i.message_id like m.id || '@%'
     where lower(regexp_replace(i.to_address, '\\+[^@]*', '')) = ${victim} order by i.received_at`.execute(app.db);
  return rows.map(({ kind }) => kind);
}

/** How many rows of the mailbox are in each state. */
async function statesOf(victim: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from email_outbox
     where lower(regexp_replace(to_address, '\\+[^@]*', '')) = ${victim} group by state`.execute(app.db);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function verified() {
  const organizer = await newOrganizer(app);
  await app.db.updateTable('users').set({ emailVerifiedAt: app.now() }).where('email', '=', organizer.email).execute();
  return organizer;
}

async function unverified(email: string) {
  const visitor = app.visitor();
  await register(email);
  expectOk(await visitor.call(contract.login, { email, password: PASSWORD }));
  return visitor;
}

describe('one mailbox', () => {
  it('gets at most 5 emails an hour from an unverified account that asks for 83 [EMAIL-3]', async () => {
    const victim = newVictim();
    const visitor = await unverified(victim);
    const words = (n: number) => `you.have.won.visit.evil.example.now-${n}@attacker.example`;

    for (let n = 0; n < 60; n++) await visitor.send(contract.resendVerification, {});
    for (let n = 0; n < 3; n++) await app.call(contract.forgotPassword, { email: victim });
    for (let n = 0; n < 10; n++) await visitor.send(contract.changeEmail, { newEmail: words(n) });
    for (let n = 0; n < 60; n++)
      await visitor.send(contract.saveAccountInfo, { ...accountInfo, organizationName: `Visit evil.example ${n}` });

    expect(await arrivedAt(victim)).toHaveLength(STRANGER_EMAILS_PER_HOUR);
    for (const { subject, text, html } of await emailsTo(app, victim))
      expect(`${subject}${text}${html}`.replaceAll('\u2060', '')).not.toContain('evil.example');
  });

  it('gets no alert of an account that never proved it, and all of its own account [EMAIL-4]', async () => {
    const [victim, owner] = [newVictim(), await verified()];
    const stranger = await unverified(victim);
    for (let n = 0; n < 8; n++)
      for (const visitor of [stranger, owner.visitor])
        expectOk(await visitor.call(contract.changeEmail, { newEmail: `elsewhere-${n}-${victims}@attacker.example` }));

    expect(await arrivedAt(victim)).toEqual(['verify-email']);
    expect((await arrivedAt(owner.email)).filter((kind) => kind === 'email-change-alert')).toHaveLength(8);
  });

  it('gets at most 5 emails an hour from 40 accounts with its address spelled in 40 ways [EMAIL-3]', async () => {
    const victim = newVictim();
    const spellings = Array.from({ length: 40 }, (_, n) => tagged(n % 2 ? victim.toUpperCase() : victim, `t${n}`));

    const replies = [];
    for (const email of spellings) replies.push(await register(email));

    expect(replies.map(({ status, body }) => [status, body])).toEqual(
      Array(40).fill([200, { url: '/login?registered' }]),
    );
    expect(await arrivedAt(victim)).toEqual(Array(STRANGER_EMAILS_PER_HOUR).fill('verify-email'));
    expect(await statesOf(victim)).toEqual({ sent: STRANGER_EMAILS_PER_HOUR, 'not-sent': 35 });
  });

  it('gets at most 5 emails an hour from 20 accounts that want to move to it [EMAIL-3]', async () => {
    const victim = newVictim();
    const replies = [];
    for (let n = 0; n < 20; n++) {
      const { visitor } = await verified();
      const { status, body } = await visitor.send(contract.changeEmail, { newEmail: tagged(victim, `m${n}`) });
      replies.push([status, body]);
    }

    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(await arrivedAt(victim)).toEqual(Array(STRANGER_EMAILS_PER_HOUR).fill('confirm-new-email'));
  });

  it('is not kept from the reset link of an undone change of email [EMAIL-3]', async () => {
    const { email, visitor } = await verified();
    expectOk(await visitor.call(contract.changeEmail, { newEmail: `intruder-of-${email}` }));
    for (let n = 0; n < 6; n++) {
      const link = { kind: 'records-link', subjectId: newId(), toAddress: email, now: app.now() } as const;
      await queueLimitedEmail(app.deps.db, app.deps, link);
    }
    const alert = await app.db
      .selectFrom('emailOutbox')
      .where('kind', '=', 'email-change-alert')
      .where('toAddress', '=', email)
      .select('subjectId')
      .executeTakeFirstOrThrow();

    expectOk(await app.call(contract.undoEmailChange, { token: linkToken(app.deps.appSecret, alert.subjectId) }));
    expect(await arrivedAt(email)).toContain('reset-password');
  });

  it('counts all kinds together, and still gets the tickets it paid for [EMAIL-3 EMAIL-5]', async () => {
    const victim = newVictim();
    await buyTickets(app, eventId, generalAdmission(1), victim);
    const visitor = await unverified(victim);
    const replies = [];
    for (let n = 0; n < 6; n++) {
      replies.push(await visitor.send(contract.resendVerification, {}));
      replies.push(await app.call(contract.forgotPassword, { email: victim }));
      replies.push(await app.call(requestRecordsLink, { email: victim }));
      await app.settle();
    }
    await buyTickets(app, eventId, generalAdmission(1), victim);
    await buyTickets(app, eventId, generalAdmission(2), victim);

    expect(new Set(replies.map(({ status, body }) => `${status} ${body.msg}`))).toEqual(
      new Set([verificationSent, resetLinkSent, recordsLinkSent].map((msg) => `200 ${msg}`)),
    );
    const arrived = await arrivedAt(victim);
    expect(arrived.filter((kind) => kind !== 'tickets')).toHaveLength(STRANGER_EMAILS_PER_HOUR);
    expect(arrived.filter((kind) => kind === 'tickets')).toHaveLength(3);
  });

  it('counts guessed passwords and invitations, too [EMAIL-3]', async () => {
    const { email } = await verified();
    await app.settle();
    const { rateLimiter } = app.deps;
    await Promise.all(Array.from({ length: 100 }, () => rateLimiter.consume('login-account', email)));
    const wrong = { email, password: 'a guess of a stranger' };
    for (let n = 0; n < 2; n++) expect((await app.call(contract.login, wrong)).status).toBe(429);
    await app.settle();
    for (let n = 0; n < 6; n++) {
      const { visitor: owner } = await verified();
      expectOk(await owner.call(invite, { email, role: 'viewer', onlyEventIds: null }));
    }
    for (let n = 0; n < 3; n++) await app.call(contract.forgotPassword, { email });

    const invitations = Array<string>(STRANGER_EMAILS_PER_HOUR - 2).fill('invitation');
    expect(await arrivedAt(email)).toEqual(['verify-email', 'password-guessed', ...invitations]);
  });

  it('is not flooded by deleting the account and registering again [EMAIL-3]', async () => {
    const victim = newVictim();
    for (let n = 0; n < 12; n++) {
      const visitor = await unverified(victim);
      expectOk(await visitor.call(deleteAccount, { password: PASSWORD }));
    }

    const { rows } = await sql<{ state: string }>`
      select state from email_outbox where to_address like 'erased %' and kind = 'verify-email'`.execute(app.db);
    expect(rows.filter(({ state }) => state === 'sent').length).toBeLessThanOrEqual(STRANGER_EMAILS_PER_HOUR);
    expect(rows.length).toBe(12);
  });
});

describe('the limit per recipient', () => {
  const HOUR_MS = 60 * 60 * 1000;
  const start = new Date('2026-03-01T00:00:00Z');
  const queue = (toAddress: string, now = start, change: { db?: Db; scale?: number; subjectId?: string } = {}) => {
    const { db = app.deps.db, scale = 1, subjectId = newId() } = change;
    const email = { kind: 'records-link', subjectId, toAddress, now } as const;
    return queueLimitedEmail(db, { appSecret: app.deps.appSecret, rateLimitScale: scale }, email);
  };
  const sentOf = async (count: number, next: (n: number) => Promise<boolean>) => {
    let sent = 0;
    for (let n = 0; n < count; n++) if (await next(n)) sent++;
    return sent;
  };

  it('is 20 a day and slides [EMAIL-3]', async () => {
    const victim = newVictim();
    const at = (hours: number) => new Date(start.getTime() + hours * HOUR_MS);
    const perHour = [];
    for (let hour = 0; hour < 6; hour++) perHour.push(await sentOf(7, () => queue(victim, at(hour * 1.01))));

    expect(perHour).toEqual([5, 5, 5, 5, 0, 0]);
    expect(perHour.reduce((sum, sent) => sum + sent, 0)).toBe(STRANGER_EMAILS_PER_DAY);
    expect(await sentOf(7, () => queue(victim, at(24.5)))).toBe(5);
  });

  it('is 3 an hour for the same link [EMAIL-5]', async () => {
    const victim = newVictim();
    const subjectId = newId();
    expect(await sentOf(5, () => queue(victim, start, { subjectId }))).toBe(SAME_LINK_PER_HOUR);
    expect(await queue(victim, start)).toBe(true);
  });

  it('scales with RATE_LIMIT_SCALE, and 0 turns it off [EMAIL-3]', async () => {
    const [doubled, off] = [newVictim(), newVictim()];
    expect(await sentOf(15, () => queue(doubled, start, { scale: 2 }))).toBe(2 * STRANGER_EMAILS_PER_HOUR);
    expect(await sentOf(30, () => queue(off, start, { scale: 0 }))).toBe(30);
  });

  it('holds when two requests race for the last email [EMAIL-3]', async () => {
    const victim = newVictim();
    const { pending } = await inTransaction(app.db, async (tx) => {
      expect(await sentOf(5, () => queue(victim, start, { db: tx }))).toBe(5);
      const pending = queue(victim);
      await app.untilBlocked();
      return { pending };
    });

    expect(await pending).toBe(false);
  });

  it('keeps no address of the recipient longer than a day, and none that can be read [EMAIL-3]', async () => {
    const victim = newVictim();
    await queue(victim, app.now());
    const hashes = async () => {
      const { rows } = await sql<{ hash: string }>`
        select encode(recipient_hash, 'hex') as hash from email_outbox where to_address = ${victim} and recipient_hash is not null`.execute(
        app.db,
      );
      return rows.map(({ hash }) => hash);
    };
    const plain = createHash('sha256').update(victim).digest('hex');

    await purge(app.deps);
    const meanwhile = await hashes();
    await app.advance({ days: 1, minutes: 1 });
    await purge(app.deps);

    expect(meanwhile).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(meanwhile).not.toEqual([plain]);
    expect(await hashes()).toEqual([]);
  });
});
