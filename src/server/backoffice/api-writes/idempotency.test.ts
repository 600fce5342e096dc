/** Requests that a program sends again. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { v1Calls } from '#contract/v1/calls.ts';
import { createEvent, publishEvent } from '#contract/v1/event-writes.ts';
import { listEvents } from '#contract/v1/events.ts';
import { createPromoCode } from '#contract/v1/promo-codes.ts';
import { openIdempotency, sweepAnswers } from '#server/platform/idempotency/idempotency.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { callV1, newApiKey, sampleFields } from '#tests/support/api-keys.ts';
import { eventOnSale, onboardedOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const draft = sampleFields(createEvent, {});

async function setUp() {
  const organizer = await onboardedOrganizer(app);
  const key = await newApiKey(organizer.visitor);
  const { organizationId } = await actorOf(app.db, organizer.email);
  const send = (idempotencyKey: string, fields: Record<string, unknown> = draft) =>
    callV1(app, key, createEvent, fields, { 'idempotency-key': idempotencyKey });
  const titles = async () => (await callV1(app, key, listEvents)).body.data.map(({ title }) => title);
  return { ...organizer, organizationId, key, send, titles };
}

describe('A repeated POST', () => {
  it('of ten at once makes one draft, and all get the same answer [API-4]', async () => {
    const { organizationId, send, titles } = await setUp();

    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const waiting = Array.from({ length: 10 }, () => send('ten'));
      await app.untilBlocked();
      return { waiting };
    });
    const answers = await Promise.all(waiting);

    expect(await titles()).toEqual(['Basement Brass']);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.map(({ headers }) => headers['idempotency-replayed']).filter((one) => one === 'true')).toHaveLength(
      9,
    );
    expect(answers[0]?.status).toBe(200);
  });

  it('is the same with its fields in another order, and another one with other fields [API-4]', async () => {
    const { send, titles } = await setUp();
    const reversed = Object.fromEntries(Object.entries(draft).toReversed());

    const first = await send('same');
    const again = await send('same', reversed);
    const other = await send('same', { ...draft, title: 'Attic Brass' });

    expect([again.status, again.text]).toEqual([200, first.text]);
    expect([other.status, other.body.error.code]).toEqual([409, 'idempotency.body-differs']);
    expect(await titles()).toEqual(['Basement Brass']);
  });

  it('of another call, with a used key, is another request [API-4]', async () => {
    const { key, send } = await setUp();
    const { body } = await send('used');

    const published = await callV1(app, key, publishEvent, { event_id: body['id'] }, { 'idempotency-key': 'used' });

    expect([published.status, published.body.error.code]).toEqual([409, 'idempotency.body-differs']);
  });

  it('with the key of another program runs on its own [API-4]', async () => {
    const { visitor, send, titles } = await setUp();
    const otherKey = await newApiKey(visitor);

    await send('shared');
    const other = await callV1(app, otherKey, createEvent, draft, { 'idempotency-key': 'shared' });

    expect([other.status, other.headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect(await titles()).toHaveLength(2);
  });

  it('is a new request after 24 hours [API-4]', async () => {
    const { send, titles } = await setUp();

    const first = await send('daily');
    await app.advance({ hours: 23 });
    const soon = await send('daily');
    await app.advance({ hours: 1 });
    const later = await send('daily');

    expect(soon.text).toBe(first.text);
    expect([later.status, later.headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect(await titles()).toHaveLength(2);
  });

  it('that was denied is denied alike, whatever has changed since [API-4]', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    const key = await newApiKey(visitor);
    const code = { ...sampleFields(createPromoCode, { event_id: eventId }) };
    const send = (idempotencyKey: string) =>
      callV1(app, key, createPromoCode, code, { 'idempotency-key': idempotencyKey });

    await send('made');
    const denied = await send('taken');
    await app.db.deleteFrom('promoCodes').where('eventId', '=', eventId).execute();
    const again = await send('taken');

    expect([denied.status, denied.body.error.code]).toEqual([409, 'promo.code-taken']);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([409, denied.text, 'true']);
    expect((await send('new')).status).toBe(200);
  });

  it('whose fields are not valid in themselves can be put right under the same key [API-4]', async () => {
    const { send } = await setUp();

    const wrong = await send('typo', { ...draft, titel: 'Basement Brass' });
    const right = await send('typo');

    expect([wrong.status, wrong.body.error.params['field'], right.status]).toEqual([400, 'titel', 200]);
  });

  it.each(['', 'two words', 'a'.repeat(256), 'schlüssel'])(
    'with the key "%s" is refused [API-4]',
    async (idempotencyKey) => {
      const { send } = await setUp();

      const { status, body } = await send(idempotencyKey);

      expect([status, body.error.code, body.error.params['field']]).toEqual([400, 'form.invalid', 'Idempotency-Key']);
    },
  );

  it('is stored sealed, and deleted after a day [API-4]', async () => {
    const { send } = await setUp();
    await send('sealed');
    const rows = async () =>
      (
        await sql<{
          text: string;
        }>`select a::text as text, encode(answer, 'escape') as answer from api_idempotency a where idempotency_key = 'sealed'`.execute(
          app.db,
        )
      ).rows;

    const stored = await rows();
    await sweepAnswers(app.deps);
    const kept = await rows();
    await app.advance({ days: 1 });
    await sweepAnswers(app.deps);

    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain('Brass');
    expect(kept).toEqual(stored);
    expect(await rows()).toEqual([]);
  });

  it('has an answer without names and addresses, which could not be erased from it [API-4]', () => {
    const replies = v1Calls
      .filter(({ method }) => method === 'POST')
      .map(({ name, reply }) => ({
        name,
        text: JSON.stringify(z.toJSONSchema(reply)),
      }));

    expect(replies.length).toBeGreaterThan(5);
    expect(replies.filter(({ text }) => /"(?:email|buyer|holder|guests?|first_name|last_name)":/.test(text))).toEqual(
      [],
    );
  });
});

describe('A request that runs', () => {
  async function begin() {
    const { visitor } = await onboardedOrganizer(app);
    await newApiKey(visitor);
    const { id: keyId } = await app.db
      .selectFrom('apiKeys')
      .select('id')
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const impatient = openIdempotency(app.deps, 0);
    return () => impatient.begin({ keyId, idempotencyKey: newIdOnce, method: 'POST', path: '/', fields: {} });
  }
  const newIdOnce = newId();
  const started = (begun: Awaited<ReturnType<Awaited<ReturnType<typeof begin>>>>) => {
    if (!('started' in begun)) throw new Error('it was answered');
    return begun.started;
  };

  it('lets no other one with its key run [API-4]', async () => {
    const send = await begin();
    await send();

    await expect(send()).rejects.toMatchObject({ code: 'idempotency.in-progress' });
  });

  it('and whose process is gone runs again after a minute, as the same request [API-4]', async () => {
    const send = await begin();
    const lost = started(await send());
    await app.advance({ seconds: 60 });

    const next = started(await send());
    await lost.end({ status: 200, body: 'late' });
    await next.end({ status: 200, body: 'done' });

    expect(next.id).toBe(lost.id);
    expect(await send()).toEqual({ answer: { status: 200, body: 'done' } });
  });

  it.each([500, 503, 429])('and ends with %s runs again, as the same request [API-4]', async (status) => {
    const send = await begin();
    const first = started(await send());
    await first.end({ status, body: '{}' });

    expect(started(await send()).id).toBe(first.id);
  });
});
