/** Every call of the public API, with every scope, with a key of another organization, and with keys that are none. */
import { beforeAll, describe, expect, it } from 'vitest';
import { v1Calls } from '#contract/v1/calls.ts';
import { listEvents } from '#contract/v1/events.ts';
import { checkInTicket } from '#contract/v1/tickets.ts';
import { scopes } from '#domain/accounts/api-keys.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { buyTickets, eventOnSale, generalAdmission, onboardedOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
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
  const { id, orderId } = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', event.eventId)
    .select(['id', 'orderId'])
    .executeTakeFirstOrThrow();
  return { ...event, ids: { event_id: event.eventId, ticket_id: id, order_id: orderId } };
}

/** The fields that its path names. */
const fieldsOf = ({ path }: { path: string }) =>
  Object.fromEntries(Object.entries(own.ids).filter(([name]) => path.includes(`:${name}`)));

describe('A key', () => {
  it.each(scopes)('with only %s may call what needs it, and nothing else [API-6]', async (scope) => {
    const key = await newApiKey(own.visitor, { scopes: [scope] });

    const answers = await Promise.all(
      v1Calls.map(async (call) => ({ call, answer: await callV1(app, key, call, fieldsOf(call)) })),
    );

    for (const { call, answer } of answers) {
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

    for (const call of v1Calls) {
      const { status, body } = await callV1(app, stranger, call, fieldsOf(call));
      const isList = status === 200 && (body.data?.length === 0 || call.name === 'readOrganization');
      expect({ call: call.name, isHidden: isList || status === 404 }).toEqual({ call: call.name, isHidden: true });
    }
  });

  it('for chosen events reaches no other one [API-5]', async () => {
    const { eventId: otherId } = await newDraft(app, own);
    const key = await newApiKey(own.visitor, { onlyEventIds: [otherId] });

    const { body } = await callV1(app, key, listEvents);
    const answers = await Promise.all(v1Calls.map((call) => callV1(app, key, call, fieldsOf(call))));

    expect(body.data.map(({ id }) => id)).toEqual([otherId]);
    expect(answers.filter(({ status }) => status === 200).map((answer) => answer.body.data ?? 'organization')).toEqual(
      expect.arrayContaining(['organization']),
    );
  });

  it.each([
    ['none', null],
    ['one that was never made', 'hs_test_0123456789abcdef'],
    ['a password', 'correct horse battery'],
    ['only spaces', '   '],
  ])('that is %s is refused by every call [API-5]', async (_what, key) => {
    for (const call of v1Calls) {
      const { status, body, headers } = await callV1(app, key, call, fieldsOf(call));
      expect([call.name, status, body.error.code]).toEqual([call.name, 401, 'auth.invalid-key']);
      expect(headers['www-authenticate']).toBe('Bearer');
    }
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

/** Orders and tickets name their events, so reading them includes reading events. */
const isReadWith = (needed: string, given: string) =>
  needed === 'events:read' && (given === 'orders:read' || given === 'check_ins:write');
