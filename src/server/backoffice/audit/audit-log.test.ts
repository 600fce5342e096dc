import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { adminAudit, adminAuditFile, auditLog } from '#contract/app/audit.ts';
import { changeAttendantCode } from '#contract/app/check-in.ts';
import { AUDIT_PAGE } from '#domain/limits.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { eventOnSale, expectOk, newOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const actionsIn = (reply: { body: { entries: { action: string }[] } }) =>
  reply.body.entries.map(({ action }) => action);

const log = async (visitor: Visitor, query: Parameters<typeof visitor.call<typeof auditLog>>[1] = {}) =>
  expectOk(await visitor.call(auditLog, query));

describe('the log of an organization', () => {
  it('lists what happened there, newest first, with who and where [AUDIT-2]', async () => {
    const { visitor, email, eventId } = await eventOnSale(app);
    await eventOnSale(app);
    expectOk(await visitor.call(changeAttendantCode, { eventId }));

    const { entries, members, events, next } = await log(visitor);

    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'rotate-attendant-code', actorKind: 'member', actor: email, event: { eventId } },
      { action: 'create-event', actorKind: 'member', actor: email, event: { eventId } },
    ]);
    const { userId, organizationId } = await actorOf(app.db, email);
    expect(new Set(entries.map(({ organization }) => organization?.id))).toEqual(new Set([organizationId]));
    expect(members).toEqual([{ id: userId, email }]);
    expect(events).toMatchObject([{ eventId }]);
    expect(next).toBeNull();
  });

  it('is filtered by member, action, event and time [AUDIT-2]', async () => {
    const { visitor, email, eventId } = await eventOnSale(app);
    const { userId } = await actorOf(app.db, email);
    const before = app.now().toISOString();
    await app.advance({ hours: 0.5 });
    const after = app.now().toISOString();
    expectOk(await visitor.call(changeAttendantCode, { eventId }));

    const filtered = async (query: Parameters<typeof log>[1]) =>
      (await log(visitor, query)).entries.map((e) => e.action);

    expect(await filtered({ action: 'create-event' })).toEqual(['create-event']);
    expect(await filtered({ actor: newId() })).toEqual([]);
    expect(await filtered({ actor: userId })).toContain('create-event');
    expect(await filtered({ event: eventId })).toEqual(['rotate-attendant-code', 'create-event']);
    expect(await filtered({ event: eventId, from: after })).toEqual(['rotate-attendant-code']);
    expect(await filtered({ event: eventId, until: before })).toEqual(['create-event']);
  });

  it('comes in pages of 100, and a cursor counts in its own organization only [AUDIT-2]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const { visitor: stranger } = await newOrganizer(app);
    const { userId, organizationId } = await actorOf(app.db, email);
    const at = app.now();
    const event = { action: 'end-session', actorId: userId, organizationId, subject: userId, at } as const;
    for (let n = 0; n < AUDIT_PAGE + 20; n++) await recordAuditEvent(app.db, event);

    const first = await log(visitor, { action: 'end-session' });
    const second = await log(visitor, { action: 'end-session', after: first.next ?? '' });

    expect([first.entries.length, second.entries.length, second.next]).toEqual([AUDIT_PAGE, 20, null]);
    expect(new Set([...first.entries, ...second.entries].map(({ id }) => id)).size).toBe(AUDIT_PAGE + 20);
    expect((await log(stranger, { after: first.next ?? '' })).entries).toEqual([]);
  });

  it('says that support acted, not who [AUDIT-2]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const { organizationId } = await actorOf(app.db, email);
    const operator = await operatorOf();
    const by = { actorId: operator.userId, organizationId };
    await recordAuditEvent(app.db, {
      action: 'write-off',
      ...by,
      subject: newId(),
      params: { cents: 500 },
      at: app.now(),
    });

    const { entries } = await log(visitor, { action: 'write-off' });

    expect(entries).toMatchObject([{ actorKind: 'operator', actor: null, params: { cents: 500 } }]);
    const all = await operator.visitor.call(adminAudit, { organization: organizationId, action: 'write-off' });
    expect(all.body.entries).toMatchObject([{ actor: operator.email }]);
  });

  it('reads a page by an index [AUDIT-2]', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select * from audit_events where organization_id = ${newId()}::uuid and action = 'log-in'
       order by at desc, id desc limit 101`.execute(app.db);

    expect(JSON.stringify(rows)).toMatch(/Index Scan Backward using audit_events_(?:action|organization)/);
  });
});

async function operatorOf() {
  const operator = await newOrganizer(app);
  await appointAdmin(app.deps, { email: operator.email, isAdmin: true });
  return { ...operator, ...(await actorOf(app.db, operator.email)) };
}

describe('the log of operators', () => {
  it('has the events of all organizations [AUDIT-2]', async () => {
    const { visitor } = await operatorOf();
    const one = await eventOnSale(app);
    const other = await eventOnSale(app);

    const reply = await visitor.call(adminAudit, { action: 'create-event' });

    expect(reply.body.entries.map(({ event }) => event?.eventId)).toEqual(
      expect.arrayContaining([one.eventId, other.eventId]),
    );
    expect(new Set(actionsIn(reply))).toEqual(new Set(['create-event']));
  });

  it('is exported as CSV without names of people, and the export is in it [AUDIT-2]', async () => {
    const { visitor, email } = await operatorOf();
    const { eventId, email: organizer } = await eventOnSale(app);
    const file = async (query = '') => (await visitor.fetch(`${adminAuditFile.path}${query}`)).text();

    const text = await file(`?event=${eventId}`);
    const all = await file();

    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toMatch(/"create-event","member"/);
    expect(all).toContain('"export-audit-log","operator"');
    for (const address of [email, organizer]) expect(all).not.toContain(address);
  });
});
