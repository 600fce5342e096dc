/** Keys: made, listed, ended, and what ends them. */
import { describe, expect, it } from 'vitest';
import { deleteAccount, deleteOrganization, myRecordsFile } from '#contract/app/privacy.ts';
import { apiKeys, createApiKey, revokeApiKey } from '#contract/app/programs/api-keys.ts';
import { changeRole, removeMember } from '#contract/app/team.ts';
import { readEvent } from '#contract/v1/events.ts';
import { readOrganization } from '#contract/v1/organization.ts';
import { KEYS_MAX } from '#domain/accounts/api-keys.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { emailsTo, expectOk, logInAgain, PASSWORD, verifiedOrganizer } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { authenticateKey } from './authenticate-key.ts';
import { readKey, writeKey } from './key-format.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const statusOf = async (key: string) => (await callV1(app, key, readOrganization)).status;
const form = { name: 'Turnstile', scopes: ['events:read' as const], onlyEventIds: null, days: 30 as const };

describe('The text of a key', () => {
  const parts = { isLive: true, id: newId(), secret: 'ab'.repeat(32) };

  it('says what it is, and reads back [API-5]', () => {
    const text = writeKey(parts);

    expect(text).toMatch(/^hs_live_[0-9a-f]{104}$/);
    expect(readKey(text)).toEqual(parts);
    expect(writeKey({ ...parts, isLive: false })).toMatch(/^hs_test_/);
  });

  it('with one wrong character is no key [API-5]', () => {
    const text = writeKey(parts);
    for (let index = 0; index < text.length; index++) {
      const wrong = text[index] === '0' ? '1' : '0';
      expect(readKey(text.slice(0, index) + wrong + text.slice(index + 1))).toBeNull();
    }
  });
});

describe('A key', () => {
  it('is shown once, stored as a hash, and emailed about to the owners [API-5]', async () => {
    const { visitor, email } = await verifiedOrganizer(app);

    const { key, keyId } = expectOk(await visitor.call(createApiKey, form));
    const list = expectOk(await visitor.call(apiKeys, {}));
    const stored = await app.db.selectFrom('apiKeys').where('id', '=', keyId).selectAll().executeTakeFirstOrThrow();

    expect(list.keys).toMatchObject([{ keyId, name: 'Turnstile', state: 'live', createdBy: email, lastUsedAt: null }]);
    expect(JSON.stringify(list)).not.toContain(key);
    expect(stored.secretHash.toString('hex')).not.toContain(readKey(key)?.secret);
    expect((await emailsTo(app, email)).map(({ subject }) => subject)).toContain(
      'A new API key for your Handstamp organization',
    );
  });

  it('that is no text of a key costs no query [API-5]', async () => {
    const { takesRealMoney, clock } = app.deps;
    const noDatabase = new Proxy(app.db, {
      get() {
        throw new Error('the database was asked');
      },
    });

    for (const text of [
      '',
      'hs_test_',
      `hs_test_${'0'.repeat(104)}`,
      writeKey({ isLive: true, id: newId(), secret: 'ab'.repeat(32) }),
    ])
      expect(await authenticateKey({ db: noDatabase, clock, takesRealMoney }, text)).toBeNull();
  });

  it('with the id of a key and another secret is none [API-5]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const parts = readKey(await newApiKey(visitor));
    if (!parts) throw new Error('no key');

    expect(await statusOf(writeKey({ ...parts, secret: 'ab'.repeat(32) }))).toBe(401);
  });

  it('records its last use, at most once a minute', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const key = await newApiKey(visitor);
    const lastUse = async () => expectOk(await visitor.call(apiKeys, {})).keys[0]?.lastUsedAt;

    await statusOf(key);
    const first = await lastUse();
    await app.advance({ seconds: 30 });
    await statusOf(key);
    const soon = await lastUse();
    await app.advance({ seconds: 31 });
    await statusOf(key);

    expect(first).toEqual(expect.any(String));
    expect(soon).toBe(first);
    expect(await lastUse()).not.toBe(first);
  });

  it('ends when it is revoked, on another server as well [API-8]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const { key, keyId } = expectOk(await visitor.call(createApiKey, form));
    const other = anotherServer(app.deps);
    expect(await authenticateKey(other, key)).toMatchObject({ keyId });

    expectOk(await visitor.call(revokeApiKey, { keyId }));

    expect([await statusOf(key), await authenticateKey(other, key)]).toEqual([401, null]);
    expect(expectOk(await visitor.call(apiKeys, {})).keys[0]?.state).toBe('revoked');
    expect(await visitor.call(revokeApiKey, { keyId })).toMatchObject({
      status: 404,
      body: errorBody('api-key.unknown'),
    });
  });

  it('ends with its time [API-5]', async () => {
    const organizer = await verifiedOrganizer(app);
    const { key } = expectOk(await organizer.visitor.call(createApiKey, form));

    await app.advance({ days: 29 });
    const before = await statusOf(key);
    await app.advance({ days: 1 });
    await logInAgain(organizer);

    expect([before, await statusOf(key)]).toEqual([200, 401]);
    expect(expectOk(await organizer.visitor.call(apiKeys, {})).keys[0]?.state).toBe('expired');
  });

  it.each(['removed', 'made an editor'])('ends when its maker is %s [API-8]', async (what) => {
    const owner = await verifiedOrganizer(app);
    const admin = await newMember(app, owner, 'admin');
    const { userId } = await actorOf(app.db, admin.email);
    const key = await newApiKey(admin.visitor);
    expect(await statusOf(key)).toBe(200);

    if (what === 'removed') expectOk(await owner.visitor.call(removeMember, { userId }));
    else expectOk(await owner.visitor.call(changeRole, { userId, role: 'editor', onlyEventIds: null }));

    expect(await statusOf(key)).toBe(401);
    expect(expectOk(await owner.visitor.call(apiKeys, {})).keys[0]?.state).toBe('revoked');
  });

  it('is one of ten at most, of two that are made at once as well [API-5]', async () => {
    const { visitor, email } = await verifiedOrganizer(app);
    for (let made = 1; made < KEYS_MAX; made++) await newApiKey(visitor);

    const { waiting } = await app.db.transaction().execute(async (tx) => {
      const { organizationId } = await actorOf(tx, email);
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const waiting = [1, 2].map(() => visitor.call(createApiKey, form));
      await app.untilBlocked(2);
      return { waiting };
    });
    const replies = await Promise.all(waiting);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.map(({ body }) => body)).toContainEqual(errorBody('api.too-many'));
  });

  it('leaves room for another once it is revoked or has expired [API-5]', async () => {
    const organizer = await verifiedOrganizer(app);
    const { visitor } = organizer;
    const { keyId } = expectOk(await visitor.call(createApiKey, form));
    for (let made = 1; made < KEYS_MAX; made++) expectOk(await visitor.call(createApiKey, form));
    const create = async () => (await visitor.call(createApiKey, form)).status;

    const whenFull = await create();
    expectOk(await visitor.call(revokeApiKey, { keyId }));
    const afterRevoking = await create();
    await app.advance({ days: 30 });
    await logInAgain(organizer);

    expect([whenFull, afterRevoking, await create()]).toEqual([409, 200, 200]);
  });

  it('of the other kind of installation is none [API-5]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const key = await newApiKey(visitor);

    expect(await authenticateKey({ ...app.deps, takesRealMoney: !app.deps.takesRealMoney }, key)).toBeNull();
    expect(await authenticateKey(app.deps, key)).not.toBeNull();
  });

  it('ends with the organization, which forgets it [API-8]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const { key, keyId } = expectOk(await visitor.call(createApiKey, form));

    expectOk(await visitor.call(deleteOrganization, {}));

    expect(await statusOf(key)).toBe(401);
    expect(await app.db.selectFrom('apiKeys').where('id', '=', keyId).select('id').execute()).toEqual([]);
  });

  it('ends with the account of its maker, and the team still sees it [API-8]', async () => {
    const owner = await verifiedOrganizer(app);
    const admin = await newMember(app, owner, 'admin');
    const key = await newApiKey(admin.visitor);

    expectOk(await admin.visitor.call(deleteAccount, { password: PASSWORD }));

    expect(await statusOf(key)).toBe(401);
    const { keys } = expectOk(await owner.visitor.call(apiKeys, {}));
    expect(keys).toMatchObject([{ name: 'Turnstile', state: 'revoked' }]);
  });

  it('is in the export of an owner, without its hash', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const { keyId } = expectOk(await visitor.call(createApiKey, form));

    const text = await (await visitor.fetch(myRecordsFile.path)).text();
    const stored = await app.db.selectFrom('apiKeys').where('id', '=', keyId).selectAll().executeTakeFirstOrThrow();

    expect(JSON.parse(text)).toMatchObject({ apiKeys: [{ name: 'Turnstile', scopes: form.scopes }] });
    expect(text).not.toContain(stored.secretHash.toString('hex'));
  });

  it('is denied to other events than those of the organization', async () => {
    const { visitor } = await verifiedOrganizer(app);

    const answer = await visitor.call(createApiKey, { ...form, onlyEventIds: ['AAAAAAAAAAAAAAAA'] });

    expect(answer).toMatchObject({ status: 404, body: errorBody('team.unknown-event') });
    expect((await callV1(app, await newApiKey(visitor), readEvent, { event_id: 'AAAAAAAAAAAAAAAA' })).status).toBe(404);
  });
});
