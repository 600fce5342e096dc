/** Apple's pass web service, by phones and by attackers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVICES_PER_PASS } from '#domain/sales/wallet-passes.ts';
import { ticketFile } from '#messages/sales/ticket-files.ts';
import { buildApp } from '#server/main/app.ts';
import { appleWallet } from '#server/platform/adapters/wallets/apple-wallet.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { openPass, verifySignature } from '#tests/support/open-pass.ts';
import { buyTickets, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { makeAppleKeys, PASS_TYPE } from '#tests/support/wallet-keys.ts';
import { newPhone, type SavedPass, savePass, WALLET_SITE } from '#tests/support/wallet-phone.ts';

const keys = makeAppleKeys();

let app: TestApp;
let without: TestApp;
beforeAll(async () => {
  const apple = await appleWallet(keys.pem, { origin: 'https://127.0.0.1:1', ca: null, timeoutMs: 100 });
  [app, without] = [await startTestApp({ wallets: { apple, google: null } }), await startTestApp({ runsJobs: false })];
  app.deps.publicUrl = WALLET_SITE;
});
afterAll(() => Promise.all([app.close(), without.close()]));

let buyers = 0;

async function sell(quantity = 1) {
  const event = await eventOnSale(app);
  const order = await buyTickets(app, event.eventId, generalAdmission(quantity), `phone-${++buyers}@example.com`);
  return { event, token: order.details?.token ?? '' };
}

const codeOf = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code];

const devicesOf = async ({ passId }: SavedPass) =>
  (await app.db.selectFrom('walletDevices').where('passId', '=', passId).select('deviceId').execute()).map(
    ({ deviceId }) => deviceId,
  );

describe('a pass', () => {
  it('names the service and its token, where phones can reach it [WALLET-2]', async () => {
    const { token } = await sell(2);
    const [first, second] = [await savePass(app, token, 1), await savePass(app, token, 2)];
    expect(first.json).toMatchObject({ webServiceURL: `${WALLET_SITE}/api/public/wallet/apple` });
    expect(first.token).toMatch(/^[\w-]{43}$/);
    expect(second.token).not.toBe(first.token);
    expect((await savePass(app, token, 1)).token).toBe(first.token);
    expect(JSON.stringify(first.json)).toContain(ticketFile.followedState);

    app.deps.publicUrl = app.publicUrl;
    const plain = await savePass(app, token).finally(() => (app.deps.publicUrl = WALLET_SITE));
    expect(plain.json).not.toHaveProperty('webServiceURL');
    expect(plain.json).not.toHaveProperty('authenticationToken');
    expect(JSON.stringify(plain.json)).toContain(ticketFile.savedState);
  });
});

describe('a phone', () => {
  it('registers a pass once, and unregisters it [WALLET-2]', async () => {
    const pass = await savePass(app, (await sell()).token);
    const phone = newPhone(app);
    expect((await phone.register(pass)).status).toBe(201);
    expect((await phone.register(pass)).status).toBe(200);
    expect(await devicesOf(pass)).toEqual([phone.deviceId]);
    expect((await phone.list())?.serialNumbers).toEqual([pass.passId]);
    for (let times = 0; times < 2; times++) expect((await phone.unregister(pass)).status).toBe(200);
    const typed = { authorization: `ApplePass ${pass.token}`, 'content-type': 'application/json' };
    const path = `/devices/${phone.deviceId}/registrations/${PASS_TYPE}/${pass.passId}`;
    expect((await phone.send(path, 'DELETE', typed)).status).toBe(200);
    expect(await devicesOf(pass)).toEqual([]);
    expect(await phone.list()).toBeNull();
  });

  it('gets a pass that has not changed once [WALLET-2]', async () => {
    const { event, token } = await sell();
    const pass = await savePass(app, token);
    const phone = newPhone(app);
    const first = await phone.load(pass);
    const since = first.headers.get('last-modified');
    expect(first.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
    verifySignature(await openPass(first), keys);
    const again = await phone.load(pass, since);
    expect([again.status, await again.text(), again.headers.get('last-modified')]).toEqual([304, '', since]);

    // No job has noticed the change yet.
    await editEventOf(app, event, { title: 'Renamed' });
    const changed = await phone.load(pass, since);
    expect((await openPass(changed)).json).toMatchObject({ description: ticketFile.description('Renamed') });
    const later = changed.headers.get('last-modified');
    expect(Date.parse(later ?? '')).toBeGreaterThan(Date.parse(since ?? ''));
    expect((await phone.load(pass, later)).status).toBe(304);
    await editEventOf(app, event, { title: 'Renamed back' });
    expect((await phone.load(pass, later)).status).toBe(200);
  });

  it('gets the passes that have changed since it asked, and no others [WALLET-2]', async () => {
    const [one, other] = [await sell(), await sell()];
    const [mine, changing] = [await savePass(app, one.token), await savePass(app, other.token)];
    const phone = newPhone(app);
    await phone.register(mine);
    await app.advance({ minutes: 10 });
    await phone.register(changing);
    const all = await phone.list();
    expect(all?.serialNumbers.toSorted()).toEqual([mine.passId, changing.passId].toSorted());
    expect(await phone.list(all?.lastUpdated)).toBeNull();

    await app.advance({ minutes: 10 });
    await editEventOf(app, other.event, { title: 'Renamed' });
    await phone.load(changing);
    const since = await phone.list(all?.lastUpdated);
    expect(since?.serialNumbers).toEqual([changing.passId]);
    expect(await phone.list(since?.lastUpdated)).toBeNull();
    // A tag that isn't ours, or cut off.
    for (const tag of ['', 'x', '999', '-1', 'NaN-0']) expect((await phone.list(tag))?.serialNumbers).toHaveLength(2);
  });

  it('keeps the token that it has when the secret changes', async () => {
    const pass = await savePass(app, (await sell()).token);
    const server = await buildApp({
      deps: {
        ...anotherServer(app.deps),
        appSecret: ['another secret of more than 32 characters', ...app.deps.appSecret],
      },
      trustedProxies: 0,
      isReady: async () => true,
      webRoot: null,
      plugins: [],
    });
    const load = (token: string) =>
      server.inject({
        url: `/api/public/wallet/apple/v1/passes/${PASS_TYPE}/${pass.passId}`,
        headers: { authorization: `ApplePass ${token}` },
      });
    const reply = await load(pass.token);
    const { json } = await openPass(new Response(new Uint8Array(reply.rawPayload)));
    expect(json['authenticationToken']).toBe(pass.token);
    await server.close();
  });
});

describe('an attacker', () => {
  it('gets nothing with the token of another pass, and does not learn which passes exist [WALLET-2]', async () => {
    const { token } = await sell(2);
    const [mine, theirs] = [await savePass(app, token, 1), await savePass(app, token, 2)];
    const [victim, phone] = [newPhone(app), newPhone(app)];
    await victim.register(theirs);
    const invented = { passId: '01890000-0000-7000-8000-000000000000-1', token: mine.token };
    for (const pass of [
      { ...theirs, token: mine.token },
      invented,
      { ...theirs, token: '' },
      { ...theirs, token: 'x'.repeat(43) },
    ]) {
      for (const reply of [
        await phone.register(pass),
        await phone.load(pass),
        await phone.unregister(pass, victim.deviceId),
      ])
        expect(await codeOf(reply)).toEqual([401, 'wallet.wrong-token']);
    }
    for (const authorization of [
      '',
      `Bearer ${theirs.token}`,
      `ApplePass ${theirs.token}x`,
      `applepass${theirs.token}`,
    ])
      expect((await phone.send(`/passes/${PASS_TYPE}/${theirs.passId}`, 'GET', { authorization })).status).toBe(401);
    expect(await devicesOf(theirs)).toEqual([victim.deviceId]);
  });

  it("can't unregister another phone's pass by their own [WALLET-2]", async () => {
    const { token } = await sell(2);
    const [mine, theirs] = [await savePass(app, token, 1), await savePass(app, token, 2)];
    const [victim, phone] = [newPhone(app), newPhone(app)];
    await victim.register(theirs);
    await phone.register(mine);
    expect((await phone.unregister(mine, victim.deviceId)).status).toBe(200);
    expect(await devicesOf(theirs)).toEqual([victim.deviceId]);
    expect(await devicesOf(mine)).toEqual([phone.deviceId]);
  });

  it('fills no table: a pass has a limited number of phones', async () => {
    const pass = await savePass(app, (await sell()).token);
    const phones = Array.from({ length: DEVICES_PER_PASS + 5 }, () => newPhone(app));
    const statuses = await Promise.all(phones.map(async (phone) => (await phone.register(pass)).status));
    expect(statuses.toSorted()).toEqual([...Array<number>(DEVICES_PER_PASS).fill(201), ...Array<number>(5).fill(409)]);
    expect(await devicesOf(pass)).toHaveLength(DEVICES_PER_PASS);
    const known = phones[statuses.indexOf(201)];
    expect((await known?.register(pass))?.status).toBe(200);
    expect(await codeOf(await newPhone(app).register(pass))).toEqual([409, 'wallet.too-many-devices']);
  });

  it('registers nothing with a push token that is none', async () => {
    const pass = await savePass(app, (await sell()).token);
    const phone = newPhone(app);
    const bad = [
      {},
      [],
      null,
      { pushToken: 7 },
      { pushToken: '../../3/device/x' },
      { pushToken: 'a'.repeat(201) },
      '{',
    ];
    for (const body of bad) expect([body, (await phone.register(pass, body)).status]).toEqual([body, 400]);
    expect((await phone.register(pass, { pushToken: 'a'.repeat(2_000) })).status).toBe(413);
    expect((await phone.send('/log', 'POST', {}, { logs: ['x'.repeat(20_000)] })).status).toBe(413);
    expect(await devicesOf(pass)).toEqual([]);
    const odd = newPhone(app);
    for (const id of ['..', '%2e%2e%2f', 'a'.repeat(101), '%00'])
      expect((await odd.send(`/devices/${id}/registrations/${PASS_TYPE}`, 'GET')).status).toBeGreaterThanOrEqual(400);
  });

  it('reports what it likes: only how much is logged', async () => {
    const phone = newPhone(app);
    expect((await phone.send('/log', 'POST', {}, { logs: ['one', 'two'] })).status).toBe(200);
    for (const body of [{}, { logs: 'one' }, { logs: [1] }])
      expect((await phone.send('/log', 'POST', {}, body)).status).toBe(400);
  });
});

describe('the service', () => {
  it('is found only with keys, and for our passes [WALLET-2]', async () => {
    const pass = await savePass(app, (await sell()).token);
    for (const phone of [newPhone(without), newPhone(app, 'pass.example.other')]) {
      for (const reply of [await phone.register(pass), await phone.unregister(pass), await phone.load(pass)])
        expect(await codeOf(reply)).toEqual([404, 'page.not-found']);
      expect((await phone.send(`/devices/${phone.deviceId}/registrations/${PASS_TYPE}x`, 'GET')).status).toBe(404);
    }
    expect((await newPhone(without).send('/log', 'POST', {}, { logs: [] })).status).toBe(404);
  });

  it('forgets passes whose event is long over, and lets phones unregister them', async () => {
    const pass = await savePass(app, (await sell()).token);
    await app.db.deleteFrom('walletPasses').where('passId', '=', pass.passId).execute();
    const phone = newPhone(app);
    expect((await phone.unregister(pass)).status).toBe(200);
    for (const reply of [await phone.register(pass), await phone.load(pass)])
      expect(await codeOf(reply)).toEqual([404, 'page.not-found']);
  });
});
