/** Every call of the public API, with every scope, with a key of another organization, and with keys that are none. */
import { beforeAll, describe, expect, it } from 'vitest';
import { removeMember } from '#contract/app/team.ts';
import { v1Calls } from '#contract/v1/calls.ts';
import { createEvent } from '#contract/v1/event-writes.ts';
import { listEvents } from '#contract/v1/events.ts';
import { checkInTicket } from '#contract/v1/tickets.ts';
import type { V1Call } from '#contract/v1/v1-call.ts';
import { scopes } from '#domain/accounts/api-keys.ts';
import { changeSuspension } from '#server/accounts/suspension/suspension.ts';
import { inTransaction } from '#server/platform/database.ts';
import { actorOf, organizerOf } from '#tests/support/actor-of.ts';
import { callV1, moreIds, newApiKey, sampleFields } from '#tests/support/api-keys.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission, onboardedOrganizer } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
let own: Awaited<ReturnType<typeof soldEvent>>;
withTestApp((opened) => {
  app = opened;
});
beforeAll(async () => {
  own = await soldEvent();
});

/** An event with a sold ticket, and the ids that calls name. */
async function soldEvent() {
  const event = await eventOnSale(app);
  await buyTickets(app, event.eventId, generalAdmission(1));
  const { endpointId } = await newWebhook(
    event.visitor,
    { url: 'http://127.0.0.1:9/hooks' },
    { types: ['event.published'] },
  );
  const { id, orderId } = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', event.eventId)
    .select(['id', 'orderId'])
    .executeTakeFirstOrThrow();
  const more = await moreIds(app, event);
  return {
    ...event,
    ids: { event_id: event.eventId, ticket_id: id, order_id: orderId, endpoint_id: endpointId, ...more },
  };
}

const fieldsOf = (call: V1Call) => sampleFields(call, own.ids);

/** Calls that name something, so that a key which doesn't reach it finds nothing. */
const namingCalls = v1Calls.filter(({ path }) => path.includes(':'));

describe('A key', () => {
  it.each(scopes)('with only %s may call what needs it, and nothing else [API-6]', async (scope) => {
    const key = await newApiKey(own.visitor, { scopes: [scope] });

    for (const call of v1Calls) {
      const answer = await callV1(app, key, call, fieldsOf(call));
      const mayCall = call.scope === null || call.scope === scope || isReadWith(call.scope, scope);
      expect({ call: call.name, status: answer.status, params: answer.body.error?.params }).toEqual(
        mayCall
          ? { call: call.name, status: 200, params: undefined }
          : { call: call.name, status: 403, params: { scope: call.scope } },
      );
    }
  });

  it('of another organization finds nothing [API-7]', async () => {
    const stranger = await newApiKey((await onboardedOrganizer(app)).visitor);
    const { webhook_url: _sent, ...foreign } = own.ids;
    const foreignIds = Object.values(foreign);

    for (const call of v1Calls) {
      const { status, text } = await callV1(app, stranger, call, fieldsOf(call));
      // Of what the calls before made for the stranger, it may read.
      const namesForeign = foreignIds.some((id) => text.includes(`"${id}"`));
      const isOwn = status === 200 && !namingCalls.includes(call) && !namesForeign;
      expect({ call: call.name, isHidden: isOwn || status === 404 }).toEqual({ call: call.name, isHidden: true });
    }
  });

  it('for chosen events reaches no other one [API-5]', async () => {
    const { eventId: otherId } = await newDraft(app, own);
    const key = await newApiKey(own.visitor, { onlyEventIds: [otherId] });

    const { body } = await callV1(app, key, listEvents);
    const created = await callV1(app, key, createEvent, fieldsOf(createEvent));

    expect(body.data.map(({ id }) => id)).toEqual([otherId]);
    expect([created.status, created.body.error.code]).toEqual([403, 'auth.key-of-chosen-events']);
    for (const call of namingCalls) {
      const { status } = await callV1(app, key, call, fieldsOf(call));
      expect([call.name, status]).toEqual([call.name, 404]);
    }
  });

  it.each([
    ['was revoked', { revokedAt: new Date(0) }],
    ['has expired', { expiresAt: new Date(0) }],
  ])('that %s is refused by every call [API-8]', async (_what, end) => {
    const key = await newApiKey(own.visitor);
    const keyId = await newestKeyId();
    await app.db.updateTable('apiKeys').set(end).where('id', '=', keyId).execute();

    await expectRefused(key);
  });

  it('of a member who was removed is refused by every call [API-8]', async () => {
    const admin = await newMember(app, own, 'admin');
    const { userId } = await actorOf(app.db, admin.email);
    const key = await newApiKey(admin.visitor);

    expectOk(await own.visitor.call(removeMember, { userId }));

    await expectRefused(key);
  });

  it('changes nothing of an organization that is suspended, and still reads [API-8]', async () => {
    const event = await soldEvent();
    const key = await newApiKey(event.visitor);
    const { organizationId, userId: suspendedBy } = await organizerOf(app.db, event.eventId);
    const suspension = { suspendedAt: app.now(), suspendedBy, suspendReason: 'Stolen cards' };
    await inTransaction(app.db, (tx) => changeSuspension(tx, organizationId, suspension));

    const writes = v1Calls.filter(({ method, scope }) => method !== 'GET' && scope && STOPPED.includes(scope));
    for (const call of writes) {
      const { status, body } = await callV1(app, key, call, sampleFields(call, event.ids));
      expect([call.name, status, body.error?.code]).toEqual([call.name, 403, 'org.suspended']);
    }
    expect(writes.length).toBeGreaterThan(8);
    expect((await callV1(app, key, listEvents)).status).toBe(200);
  });

  it.each([
    ['none', null],
    ['one that was never made', 'hs_test_0123456789abcdef'],
    ['a password', 'correct horse battery'],
    ['only spaces', '   '],
  ])('that is %s is refused by every call [API-5]', async (_what, key) => {
    await expectRefused(key);
  });

  it('in an address is refused [API-5]', async () => {
    const key = await newApiKey(own.visitor);

    for (const name of ['key', 'api_key', 'access_token']) {
      const without = await callV1(app, null, listEvents, { [name]: key });
      expect(without.status).toBe(401);
      const withBoth = await callV1(app, key, listEvents, { [name]: key });
      expect(withBoth.body.error).toMatchObject({ code: 'form.invalid', params: { field: name } });
    }
  });

  it('works next to cookies of a session, which are ignored', async () => {
    const key = await newApiKey(own.visitor);
    const cookie = [...own.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

    const { statusCode: withoutKey } = await app.server.inject({ url: listEvents.path, headers: { cookie } });
    const { statusCode: withKey } = await app.server.inject({
      method: checkInTicket.method,
      url: checkInTicket.path.replace(':ticket_id', own.ids.ticket_id),
      headers: { cookie, authorization: `Bearer ${key}`, origin: 'https://elsewhere.example' },
      payload: {},
    });

    expect([withoutKey, withKey]).toEqual([401, 409]);
  });
});

async function expectRefused(key: string | null): Promise<void> {
  for (const call of v1Calls) {
    const { status, body, headers } = await callV1(app, key, call, fieldsOf(call));
    expect([call.name, status, body.error.code]).toEqual([call.name, 401, 'auth.invalid-key']);
    expect(headers['www-authenticate']).toBe('Bearer');
  }
}

const newestKeyId = async () =>
  (
    await app.db
      .selectFrom('apiKeys')
      .select('id')
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).id;

/** What a suspension stops. Guests who have tickets still get in. */
const STOPPED: readonly string[] = ['events:write', 'guests:write'];

/** They name events and ticket types, so that they read them. */
const READING: readonly string[] = [
  'events:write',
  'orders:read',
  'guests:write',
  'check_ins:write',
  'reports:read',
  'webhooks:write',
];

const isReadWith = (needed: string, given: string) => needed === 'events:read' && READING.includes(given);
