import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { changeAttendantCode, checkGuest } from '#contract/app/check-in.ts';
import { undoCheckIn } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { networkHash } from '#server/platform/audit/network-hash.ts';
import { type AuditParams, recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import {
  buyTickets,
  codesOf,
  eventOnSale,
  expectOk,
  generalAdmission,
  newOrganizer,
  PASSWORD,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const actsAt = async (eventId: string) =>
  (
    await sql<{ action: string }>`select action from audit_events where event_id = ${eventId} order by id`.execute(
      app.db,
    )
  ).rows.map(({ action }) => action);

const eventsOf = (eventId: string) =>
  app.db
    .selectFrom('auditEvents')
    .where('eventId', '=', eventId)
    .select(['action', 'actorKind', 'actorId', 'organizationId', 'eventId', 'sessionId'])
    .orderBy('id')
    .execute();

/** As two failures over the limit in the same hour do. */
async function warnTwice(userId: string) {
  const at = app.now();
  for (const _ of [1, 2])
    await recordAuditEvent(app.db, { action: 'failed-logins', subject: userId, once: `${userId} hour`, at });
}

describe('the audit log', () => {
  it('records each action once, and no rejected attempt [AUDIT-1]', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    const scanId = randomUUID();
    const [number = '', another = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(2)));

    await app.call(requestRefund, { eventId, confirmationCode: '1000000000' });
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: number }));
    expectOk(await visitor.call(changeAttendantCode, { eventId }));
    expectOk(await visitor.call(checkGuest, { eventId, confirmationNumber: another, scanId }));
    expectOk(await visitor.call(undoCheckIn, { eventId, scanId }));
    await visitor.call(undoCheckIn, { eventId, scanId });
    expectOk(await visitor.call(cancelEvent, { eventId }));
    expectOk(await visitor.call(cancelEvent, { eventId }));

    expect(await actsAt(eventId)).toEqual([
      'create-event',
      'request-refund',
      'rotate-attendant-code',
      'undo-check-in',
      'cancel-event',
    ]);
  });

  it('says who did it, for which organization and in which session [AUDIT-1]', async () => {
    const { visitor, email, eventId } = await eventOnSale(app);
    const { userId, organizationId } = await actorOf(app.db, email);
    const [number = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(1)));
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: number }));
    expectOk(await visitor.call(changeAttendantCode, { eventId }));
    // Organizers that were set up before the run may have logged in again.
    const sessions = app.db.selectFrom('sessions').where('userId', '=', userId).orderBy('createdAt', 'desc');
    const [session] = await sessions.select('id').execute();

    const common = { organizationId, eventId };
    expect(await eventsOf(eventId)).toMatchObject([
      { ...common, action: 'create-event', actorKind: 'member', actorId: userId, sessionId: session?.id },
      { ...common, action: 'request-refund', actorKind: 'buyer', actorId: null, sessionId: null },
      { ...common, action: 'rotate-attendant-code', actorKind: 'member', actorId: userId, sessionId: session?.id },
    ]);
  });

  it('covers logins, and a burst of failed ones once an hour [AUDIT-1]', async () => {
    const { email } = await newOrganizer(app);
    const { userId, organizationId } = await actorOf(app.db, email);
    await warnTwice(userId);

    expectOk(await app.call(login, { email, password: PASSWORD, honeypot: '' }));
    const rows = await app.db
      .selectFrom('auditEvents')
      .where('subject', '=', userId)
      .where('action', 'in', ['log-in', 'failed-logins'])
      .select(['action', 'actorKind', 'organizationId'])
      .execute();

    expect(rows.filter(({ action }) => action === 'failed-logins')).toEqual([
      { action: 'failed-logins', actorKind: 'job', organizationId },
    ]);
    expect(rows).toContainEqual({ action: 'log-in', actorKind: 'member', organizationId });
  });

  it('keeps codes and ids, and no text [AUDIT-1]', async () => {
    const at = app.now();
    const write = (params: AuditParams) => recordAuditEvent(app.db, { action: 'retry', subject: 'x', params, at });

    await write({ kind: 'refund-unsent', cents: 500, isMoved: true });
    for (const text of ['Ada Lovelace', 'ada@example.com', '', 'x'.repeat(65)])
      await expect(write({ text })).rejects.toThrow('audit_events_params_check');
  });

  it('hashes a network under a key of the year, which is deleted after 400 days [AUDIT-1]', async () => {
    const from = { ip: '198.51.100.7', appSecret: app.deps.appSecret };
    const year = app.now().getUTCFullYear();
    const inMay = (years: number) => networkHash(app.db, from, new Date(Date.UTC(year + years, 4, 1)));
    const thisYear = await inMay(0);

    expect(await inMay(0)).toBe(thisYear);
    expect(await inMay(1)).not.toBe(thisYear);
    const { madeAt } = await app.db
      .selectFrom('networkKeys')
      .where('year', '=', year)
      .select('madeAt')
      .executeTakeFirstOrThrow();
    const later = (days: number) => ({ now: () => new Date(madeAt.getTime() + days * 86_400_000 + 1) });
    await purge({ ...app.deps, clock: { ...app.deps.clock, ...later(399) } });
    expect(await inMay(0)).toBe(thisYear);
    await purge({ ...app.deps, clock: { ...app.deps.clock, ...later(400) } });
    expect(await inMay(0)).not.toBe(thisYear);
  });

  it('contains no email or IP address [AUDIT-1]', async () => {
    const { rows } = await sql`select row_to_json(a)::text as text from audit_events a`.execute(app.db);

    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toMatch(/@|127\.0\.0\.1|::1/);
  });

  it("cannot be changed or deleted, even by the table's owner [AUDIT-1]", async () => {
    for (const statement of [
      `update audit_events set action = 'x'`,
      'delete from audit_events',
      'truncate audit_events',
    ])
      await expect(sql.raw(statement).execute(app.db)).rejects.toThrow('never changed or removed');
  });
});
