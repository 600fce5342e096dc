/** Endpoints: made by members and keys, limited, rotated, exported, forgotten. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { deleteOrganization, myRecordsFile } from '#contract/app/privacy.ts';
import * as contract from '#contract/app/programs/webhooks.ts';
import * as v1 from '#contract/v1/webhook-endpoints.ts';
import { DELIVERY_DAYS, ENDPOINTS_MAX, failureLeadsTo, retryAfterSeconds } from '#domain/accounts/webhooks.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission, verifiedOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { newWebhook, startReceiver } from '#tests/support/webhook-receiver.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

/** Nothing listens there. */
const LOCAL = { url: 'http://127.0.0.1:9/hooks' };
const form = { ...LOCAL, types: ['event.updated' as const], onlyEventIds: null };

describe('The times of a delivery', () => {
  it('are 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h apart, and at most a tenth later [HOOK-3]', () => {
    const hours = 3600;
    const planned = [5, 300, 1800, 2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours];

    expect(planned.map((_, index) => retryAfterSeconds(index + 1, 0))).toEqual(planned);
    expect(planned.map((_, index) => Math.round(retryAfterSeconds(index + 1, 1) ?? 0))).toEqual(
      planned.map((seconds) => Math.round(seconds * 1.1)),
    );
    expect(retryAfterSeconds(planned.length + 1, 0)).toBeNull();
  });

  it.each([
    [0.9, false, null],
    [1, false, 'warning'],
    [1, true, null],
    [4.9, true, null],
    [5, true, 'end'],
    [5, false, 'end'],
  ])('after %s days of failures, warned: %s, lead to %s [HOOK-3]', (days, isWarned, consequence) => {
    const now = new Date('2026-06-12T20:00:00Z');
    const failingSince = new Date(now.getTime() - days * 86_400_000);

    expect(failureLeadsTo({ failingSince, warnedAt: isWarned ? now : null }, now)).toBe(consequence);
  });
});

describe('An endpoint', () => {
  it.each([
    'http://hooks.example/',
    'https://user:password@hooks.example/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:10.0.0.1]/',
    'ftp://hooks.example/',
    'hooks',
  ])('at %s is refused [HOOK-1]', async (url) => {
    const { visitor } = await verifiedOrganizer(app);

    expect(await visitor.call(contract.createWebhookEndpoint, { ...form, url })).toMatchObject({
      status: 400,
      body: errorBody('webhook.url-refused'),
    });
  });

  it('is one of ten at most, of two that are made at once as well [HOOK-1]', async () => {
    const { visitor, email } = await verifiedOrganizer(app);
    for (let made = 1; made < ENDPOINTS_MAX; made++) await newWebhook(visitor, LOCAL);

    const { waiting } = await app.db.transaction().execute(async (tx) => {
      const { organizationId } = await actorOf(tx, email);
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const waiting = [1, 2].map(() => visitor.call(contract.createWebhookEndpoint, form));
      await app.untilBlocked(2);
      return { waiting };
    });
    const replies = await Promise.all(waiting);
    const { endpointId } = expectOk(await visitor.call(contract.webhookEndpoints, {})).endpoints[0] ?? {};
    expectOk(await visitor.call(contract.endWebhookEndpoint, { endpointId: endpointId ?? '' }));

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.map(({ body }) => body)).toContainEqual(errorBody('webhook.too-many'));
    expect((await visitor.call(contract.createWebhookEndpoint, form)).status).toBe(200);
  });

  it('shows its secret once, and stores it sealed [HOOK-2]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const { secret, endpointId } = await newWebhook(visitor, LOCAL);

    const shown = [
      await visitor.call(contract.webhookEndpoints, {}),
      await visitor.call(contract.webhookDeliveries, { endpointId }),
    ];
    const { secretsSealed } = await app.db
      .selectFrom('webhookEndpoints')
      .where('id', '=', endpointId)
      .select('secretsSealed')
      .executeTakeFirstOrThrow();

    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(JSON.stringify(shown.map(({ body }) => body))).not.toContain(secret);
    expect(secretsSealed.toString('latin1')).not.toContain(secret);
  });

  it('is made, changed and ended by a key [HOOK-1]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const key = await newApiKey(visitor);
    const { status, body } = await callV1(app, key, v1.createWebhookEndpoint, { ...LOCAL, types: ['order.paid'] });
    const endpoint = { endpoint_id: body['id'] };
    const changed = await callV1(app, key, v1.updateWebhookEndpoint, { ...endpoint, types: ['event.updated'] });
    const ended = await callV1(app, key, v1.endWebhookEndpoint, endpoint);
    const again = await callV1(app, key, v1.endWebhookEndpoint, endpoint);

    expect([status, body['secret'], body['state']]).toEqual([200, expect.stringMatching(/^whsec_/), 'live']);
    expect(changed.body).toMatchObject({ types: ['event.updated'], event_ids: null, state: 'live' });
    expect(ended.body).toMatchObject({ state: 'ended' });
    expect([again.status, again.body.error.code]).toEqual([404, 'webhook.unknown']);
    expect((await callV1(app, key, v1.listWebhookEndpoints)).body.data).toHaveLength(1);
  });

  it('of a key sends nothing that the key may not read [API-6]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const key = await newApiKey(visitor, { scopes: ['events:read', 'webhooks:write'] });
    const full = await newApiKey(visitor);
    const answerTo = async (asking: string, types: string[]) => {
      const { status, body } = await callV1(app, asking, v1.createWebhookEndpoint, { ...LOCAL, types });
      return [status, body.error?.code, body.error?.params];
    };

    expect(await answerTo(key, ['event.updated', 'order.paid'])).toEqual([
      403,
      'auth.scope-missing',
      { scope: 'orders:read' },
    ]);
    expect(await answerTo(full, ['payout.paid'])).toEqual([403, 'auth.role-denied', { action: 'payout.view' }]);
    expect(await answerTo(key, ['event.updated'])).toEqual([200, undefined, undefined]);
    const { endpointId } = await newWebhook(visitor, LOCAL, { types: ['event.updated'] });
    const { status } = await callV1(app, key, v1.updateWebhookEndpoint, {
      endpoint_id: endpointId,
      types: ['order.paid'],
    });
    expect(status).toBe(403);
  });

  it('of a key for chosen events is for these, and it sees no other one [API-5]', async () => {
    const owner = await eventOnSale(app);
    const { eventId: otherId } = await newDraft(app, owner);
    const { endpointId } = await newWebhook(owner.visitor, LOCAL);
    const key = await newApiKey(owner.visitor, { onlyEventIds: [otherId] });
    const asked = { ...LOCAL, types: ['event.updated'] };

    const own = await callV1(app, key, v1.createWebhookEndpoint, asked);
    const wider = await callV1(app, key, v1.createWebhookEndpoint, { ...asked, event_ids: [owner.eventId] });
    const foreign = await callV1(app, key, v1.endWebhookEndpoint, { endpoint_id: endpointId });

    expect(own.body['event_ids']).toEqual([otherId]);
    expect([wider.status, foreign.status]).toEqual([404, 404]);
    expect((await callV1(app, key, v1.listWebhookEndpoints)).body.data).toMatchObject([{ id: own.body['id'] }]);
  });

  it('keeps no name or address of a buyer [HOOK-4]', async () => {
    const receiver = await startReceiver();
    const { visitor, eventId } = await eventOnSale(app);
    await newWebhook(visitor, receiver);
    await buyTickets(app, eventId, generalAdmission(1), 'private@example.com');
    await expect.poll(() => receiver.received.length).toBe(1);
    await receiver.close();

    expect(receiver.received[0]?.body).toContain('private@example.com');
    const { rows } = await sql<{ text: string }>`select d::text as text from webhook_deliveries d`.execute(app.db);
    expect(rows.map(({ text }) => text).join()).not.toMatch(/private|Sam Buyer/);
  });

  it('is in the export of an owner without its secret, and is forgotten with the organization', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const { endpointId } = await newWebhook(visitor, LOCAL);
    expectOk(await visitor.call(contract.testWebhook, { endpointId }));

    const exported = await (await visitor.fetch(myRecordsFile.path)).text();
    expectOk(await visitor.call(deleteOrganization, {}));

    expect(JSON.parse(exported)).toMatchObject({ webhookEndpoints: [{ url: LOCAL.url }] });
    expect(exported).not.toContain('sealed');
    for (const table of ['webhookEndpoints', 'webhookDeliveries'] as const) {
      const column = table === 'webhookEndpoints' ? 'id' : 'endpointId';
      const rows = await app.db.selectFrom(table).where(sql.ref(column), '=', endpointId).selectAll().execute();
      expect(rows).toEqual([]);
    }
  });

  it('is purged with its log 30 days after its end, and the log of others too [HOOK-4]', async () => {
    const receiver = await startReceiver();
    const { visitor } = await verifiedOrganizer(app);
    const { endpointId: endedId } = await newWebhook(visitor, LOCAL);
    const { endpointId } = await newWebhook(visitor, receiver);
    expectOk(await visitor.call(contract.endWebhookEndpoint, { endpointId: endedId }));
    expectOk(await visitor.call(contract.testWebhook, { endpointId }));
    const delivered = () =>
      app.db
        .selectFrom('webhookDeliveries')
        .where('endpointId', '=', endpointId)
        .where('state', '=', 'delivered')
        .select('id')
        .execute();
    await expect.poll(delivered).toHaveLength(1);
    const kept = () =>
      app.db.selectFrom('webhookEndpoints').where('id', 'in', [endedId, endpointId]).select('id').execute();

    await app.advance({ days: DELIVERY_DAYS - 1 });
    await purge(app.deps, { pageSize: 1 });
    const before = [(await kept()).length, (await delivered()).length];
    await app.advance({ days: 2 });
    await purge(app.deps, { pageSize: 1 });
    await receiver.close();

    expect(before).toEqual([2, 1]);
    expect([(await kept()).length, (await delivered()).length]).toEqual([1, 0]);
  });
});
