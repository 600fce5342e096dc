import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jwtVerify } from 'jose';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOrder } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { applePass } from '#contract/app/sales/ticket-files.ts';
import { localTimeWithOffset } from '#domain/local-time.ts';
import { addressLine, longDate } from '#messages/format.ts';
import { ticketFile } from '#messages/sales/ticket-files.ts';
import { appleWallet } from '#server/platform/adapters/wallets/apple-wallet.ts';
import { googleWallet } from '#server/platform/adapters/wallets/google-wallet.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { hostile, hostileEvent } from '#tests/support/hostile-text.ts';
import { openPass, verifySignature } from '#tests/support/open-pass.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { ISSUER, makeAppleKeys, makeGoogleKeys, PASS_TYPE, SERVICE_ACCOUNT, TEAM } from '#tests/support/wallet-keys.ts';

const appleKeys = makeAppleKeys();
const googleKeys = makeGoogleKeys();
/** Longer links are cut off by some browsers and apps, Google says. */
const LONGEST_LINK = 1800;

let app: TestApp;
let without: TestApp;
beforeAll(async () => {
  const nowhere = 'https://127.0.0.1:1';
  const wallets = {
    apple: await appleWallet(appleKeys.pem, { origin: nowhere, ca: null, timeoutMs: 100 }),
    google: googleWallet(googleKeys.json, {
      issuerId: ISSUER,
      api: { wallet: nowhere, tokens: nowhere, timeoutMs: 100 },
    }),
  };
  [app, without] = [await startTestApp({ wallets }), await startTestApp()];
});
afterAll(() => Promise.all([app.close(), without.close()]));

let buyers = 0;

async function sell(quantity = 1, of = app) {
  const event = await eventOnSale(of);
  const order = await buyTickets(of, event.eventId, generalAdmission(quantity), `pass-${++buyers}@example.com`);
  return { event, order, token: order.details?.token ?? '', codes: codesOf(order) };
}

const fetchPass = (token: string, ticket: number | string = 1, of = app) =>
  of.visitor().fetch(`${applePass.path}?token=${token}&ticket=${ticket}`);
const fetchLink = (token: string, ticket: number | string = 1, of = app) =>
  of.visitor().fetch(`/order/${token}/google-wallet/${ticket}`);

const denial = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code];

async function eventRow(eventId: string) {
  return app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow();
}

describe('a ticket for Apple Wallet', () => {
  it('is signed by the certificate for passes, over the hashes of all its files [WALLET-1]', async () => {
    const { token } = await sell();
    const { folder, names, read } = await openPass(await fetchPass(token));
    const manifest = JSON.parse(read('manifest.json').toString()) as Record<string, string>;

    expect(Object.keys(manifest).sort()).toEqual(
      ['icon.png', 'icon@2x.png', 'icon@3x.png', 'logo@2x.png', 'pass.json', 'thumbnail@2x.png'].sort(),
    );
    expect(names.sort()).toEqual([...Object.keys(manifest), 'manifest.json', 'signature'].sort());
    for (const [name, hash] of Object.entries(manifest))
      expect([name, createHash('sha1').update(read(name)).digest('hex')]).toEqual([name, hash]);
    verifySignature({ folder }, appleKeys);
    writeFileSync(join(folder, 'changed.json'), read('manifest.json').toString().replace('pass.json', 'pass.jsox'));
    expect(() => verifySignature({ folder }, appleKeys, 'changed.json')).toThrow(
      /digest failure|verification failure/i,
    );
  });

  it('holds the bare number, and the event as it is now, in its time zone [WALLET-1]', async () => {
    const { event, token, codes } = await sell(2);
    await editEventOf(app, event, { title: 'Attic Strings', street: '1 Elsewhere' });
    const reply = await fetchPass(token, 2);
    expect(reply.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
    expect(reply.headers.get('content-disposition')).toContain('filename="Attic Strings, Ticket 2 of 2.pkpass"');
    const { json, read } = await openPass(reply);
    const row = await eventRow(event.eventId);

    expect(json).toMatchObject({
      formatVersion: 1,
      passTypeIdentifier: PASS_TYPE,
      teamIdentifier: TEAM,
      description: ticketFile.description('Attic Strings'),
      barcodes: [{ format: 'PKBarcodeFormatQR', message: codes[1], altText: codes[1] }],
      eventTicket: {
        primaryFields: [{ value: 'Attic Strings' }],
        secondaryFields: [{ value: longDate(row.startsAt, 'America/New_York') }],
        auxiliaryFields: [{ label: 'Ticket 2 of 2', value: 'General admission' }, { value: '1 Elsewhere' }],
      },
    });
    expect(json['relevantDates']).toMatchObject([{ date: row.startsAt.toISOString() }]);
    // A pass that ended by itself couldn't be scanned at an event that was moved.
    expect(json).not.toHaveProperty('expirationDate');
    expect(JSON.stringify(json)).toContain(addressLine(row));
    // A shared pass must not lead to the order.
    expect(JSON.stringify(json)).not.toContain(token);
    expect(JSON.stringify(json)).toContain(`/payment/${event.eventId}`);
    expect(await sharp(read('thumbnail@2x.png')).metadata()).toMatchObject({ format: 'png', width: 180, height: 180 });
  });

  it('replaces the one that was saved before, and no other [WALLET-1]', async () => {
    const { token } = await sell(2);
    const serial = async (ticket: number) => (await openPass(await fetchPass(token, ticket))).json['serialNumber'];
    const [first, second] = [await serial(1), await serial(2)];
    expect(await serial(1)).toBe(first);
    expect(second).not.toBe(first);
  });

  it.each([
    ['without the issuer', appleKeys.pemWithoutIssuer],
    ['of another key', appleKeys.pemOfOtherKey],
    ['of Google', googleKeys.json],
  ])('needs all keys: %s', async (_what, pem) => {
    await expect(appleWallet(pem)).rejects.toThrow();
  });
});

async function claimsOf(reply: Response) {
  expect(reply.status).toBe(302);
  const url = reply.headers.get('location') ?? '';
  expect(url).toMatch(/^https:\/\/pay\.google\.com\/gp\/v\/save\//);
  const options = { issuer: SERVICE_ACCOUNT, audience: 'google' };
  const { payload } = await jwtVerify(url.slice(url.lastIndexOf('/') + 1), googleKeys.publicKey, options);
  return { url, claims: payload };
}

describe('a ticket for Google Wallet', () => {
  it('is a signed link with the event as it is now and the bare number [WALLET-1]', async () => {
    const { event, token, codes } = await sell(2);
    const reply = await fetchLink(token, 2);
    const { claims } = await claimsOf(reply);
    const row = await eventRow(event.eventId);

    expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const classId = `${ISSUER}.${event.eventId}`;
    expect(claims).toMatchObject({
      typ: 'savetowallet',
      payload: {
        eventTicketClasses: [
          {
            id: classId,
            venue: {
              name: { defaultValue: { value: row.street } },
              address: { defaultValue: { value: ticketFile.city(row) } },
            },
            eventName: { defaultValue: { value: 'Basement Brass' } },
            dateTime: { start: localTimeWithOffset(row.startsAt, row.timezone) },
          },
        ],
        eventTicketObjects: [{ classId, state: 'ACTIVE', barcode: { type: 'QR_CODE', value: codes[1] } }],
      },
    });
  });

  it('is short enough for every browser, however long the texts are', async () => {
    const { eventId } = await hostileEvent(app, { title: 'Ö'.repeat(50), street: 'W'.repeat(50) });
    const cart = [{ ticketName: hostile.ticketName, quantity: 1 }];
    const order = await buyTickets(app, eventId, cart, 'long@example.com');
    expect((await claimsOf(await fetchLink(order.details?.token ?? ''))).url.length).toBeLessThan(LONGEST_LINK);
  });
});

describe('wallets', () => {
  it('are offered and found only with keys [WALLET-1]', async () => {
    const { token } = await sell(1, without);
    expect(expectOk(await without.call(readOrder, { token })).details?.wallets).toEqual([]);
    expect(await denial(await fetchPass(token, 1, without))).toEqual([404, 'page.not-found']);
    expect(await denial(await fetchLink(token, 1, without))).toEqual([404, 'page.not-found']);
    const { order } = await sell();
    expect(order.details?.wallets).toEqual(['apple', 'google']);
  });

  it('get no ticket that the door would refuse, and none of another order [WALLET-1]', async () => {
    const { event, token, codes } = await sell(2);
    expectOk(await app.call(requestRefund, { eventId: event.eventId, confirmationCode: codes[0] ?? '' }));
    expect(await denial(await fetchPass(token, 1))).toEqual([409, 'order.ticket-ended']);
    expect(await denial(await fetchPass(token, 3))).toEqual([409, 'order.ticket-ended']);
    expect(await denial(await fetchPass('no.such.link'))).toEqual([404, 'checkout.unknown']);
    const locationOf = (reply: Response) => reply.headers.get('location');
    expect(locationOf(await fetchLink(token, 1))).toBe(`/order/${token}`);
    expect(locationOf(await fetchLink(token, 'x'))).toBe(`/order/${token}`);
    expect(locationOf(await fetchLink('no%2Fsuch%2Flink'))).toBe('/order/no%2Fsuch%2Flink');
    const { json } = await openPass(await fetchPass(token, 2));
    expect(json).toMatchObject({ barcodes: [{ message: codes[1] }] });
    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    expect(await denial(await fetchPass(token, 2))).toEqual([409, 'checkout.event-cancelled']);
    expect(locationOf(await fetchLink(token, 2))).toBe(`/order/${token}`);
  });
});
