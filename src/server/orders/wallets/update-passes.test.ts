/** Wallets follow events and tickets: phones with Apple's by a push and a new pass, Google's by a changed object. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { deleteMyRecords } from '#contract/app/privacy.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { readTicket, transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { localTimeWithOffset } from '#domain/local-time.ts';
import { retentionDays } from '#domain/retention.ts';
import { longDate } from '#messages/format.ts';
import { ticketFile } from '#messages/sales/ticket-files.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { appleWallet } from '#server/platform/adapters/wallets/apple-wallet.ts';
import { googleWallet } from '#server/platform/adapters/wallets/google-wallet.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { openPayout } from '#tests/support/money.ts';
import { openPass, verifySignature } from '#tests/support/open-pass.ts';
import { attendantOf, codesOf, emailsTo, expectOk } from '#tests/support/people.ts';
import { recordsLinkTo } from '#tests/support/records-link.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { ISSUER, makeAppleKeys, makeGoogleKeys, PASS_TYPE } from '#tests/support/wallet-keys.ts';
import { newPhone, type SavedPass, savePass, WALLET_SITE } from '#tests/support/wallet-phone.ts';
import { startGoogleApi, startPushService } from '#tests/support/wallet-services.ts';
import { advanceAfter, moveBy, phoneWith, sell, sellToPhone, updateWallets } from '#tests/support/wallet-updates.ts';
import { updatePasses } from './update-passes.ts';

const keys = makeAppleKeys();
const googleKeys = makeGoogleKeys();

let app: TestApp;
let apple: Awaited<ReturnType<typeof startPushService>>;
let google: Awaited<ReturnType<typeof startGoogleApi>>;
beforeAll(async () => {
  apple = await startPushService(keys);
  google = await startGoogleApi(googleKeys.publicKey);
  const wallets = {
    apple: await appleWallet(keys.pem, apple.service),
    google: googleWallet(googleKeys.json, { issuerId: ISSUER, api: google.api }),
  };
  app = await startTestApp({ wallets });
  app.deps.publicUrl = WALLET_SITE;
});
afterAll(async () => {
  await app.close();
  await Promise.all([apple.close(), google.close()]);
});
beforeEach(async () => {
  google.state.saved = null;
  google.state.status = 200;
  await updateWallets(app);
});

const pushesTo = ({ pushToken }: { pushToken: string }) => apple.pushes.filter(({ token }) => token === pushToken);
const changesOf = (id: string) => google.changes.filter(({ path }) => path.endsWith(`.${id}`));

async function loadPass(phone: ReturnType<typeof newPhone>, pass: SavedPass) {
  const opened = await openPass(await phone.load(pass));
  verifySignature(opened, keys);
  return opened.json;
}

/** What every void pass has in common. */
const voided = (reason: keyof typeof ticketFile.voided) => ({
  voided: true,
  eventTicket: {
    headerFields: [{ value: ticketFile.voided[reason] }],
    backFields: expect.arrayContaining([
      expect.objectContaining({ key: 'status', value: ticketFile.whyVoided[reason] }),
    ]),
  },
});

describe('a phone', () => {
  it('learns of a move, and gets a pass with the new date [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    const { phone, pass } = sold;
    const tag = (await phone.list())?.lastUpdated;
    await updateWallets(app);
    expect(pushesTo(phone)).toEqual([]);

    await app.advance({ minutes: 5 });
    const startsAt = await moveBy(app, sold, 2);
    await updateWallets(app);
    const certificate = `Pass Type ID: ${PASS_TYPE}`;
    expect(pushesTo(phone)).toEqual([{ token: phone.pushToken, topic: PASS_TYPE, body: '{}', certificate }]);
    expect((await phone.list(tag))?.serialNumbers).toEqual([pass.passId]);
    const json = await loadPass(phone, pass);
    expect(json).toMatchObject({
      eventTicket: { secondaryFields: [{ key: 'when', value: longDate(startsAt, 'America/New_York') }] },
      relevantDates: [{ date: startsAt.toISOString() }],
      barcodes: [{ message: sold.codes[0] }],
      authenticationToken: pass.token,
    });
    expect(json).not.toHaveProperty('voided');
    await updateWallets(app);
    expect(pushesTo(phone)).toHaveLength(1);
  });

  it.each([
    ['a new title', { title: 'Attic Strings' }],
    ['another venue', { street: '1 Elsewhere' }],
  ])('learns of %s [WALLET-2]', async (_what, change) => {
    const sold = await sellToPhone(app);
    await editEventOf(app, sold, change);
    await updateWallets(app);
    expect(pushesTo(sold.phone)).toHaveLength(1);
    expect(JSON.stringify(await loadPass(sold.phone, sold.pass))).toContain(Object.values(change)[0]);
  });

  it('does not learn of what its pass does not show: another ticket, or a check-in [WALLET-2]', async () => {
    const sold = await sellToPhone(app, 2);
    const door = await attendantOf(app, sold.eventId, sold.attendantCode);
    const scan = { eventId: sold.eventId, confirmationNumber: sold.codes[0] ?? '', scanId: randomUUID() };
    expectOk(await door.call(checkGuest, scan));
    expectOk(await app.call(requestRefund, { eventId: sold.eventId, confirmationCode: sold.codes[1] ?? '' }));
    await app.settle();
    await updateWallets(app);
    expect(pushesTo(sold.phone)).toEqual([]);
    const since = (await sold.phone.load(sold.pass)).headers.get('last-modified');
    expect((await sold.phone.load(sold.pass, since)).status).toBe(304);
  });

  it('has a void pass after a refund, with what happened [WALLET-2]', async () => {
    const { eventId, codes, phone, pass } = await sellToPhone(app);
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: codes[0] ?? '' }));
    await app.settle();
    await updateWallets(app);
    expect(pushesTo(phone).length).toBeGreaterThan(0);
    const json = await loadPass(phone, pass);
    expect(json).toMatchObject(voided('refunded'));
    expect(json).not.toHaveProperty('barcodes');
  });

  it('has a void pass once the event is cancelled [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    expectOk(await sold.visitor.call(cancelEvent, { eventId: sold.eventId }));
    await app.settle();
    await updateWallets(app);
    expect(pushesTo(sold.phone).length).toBeGreaterThan(0);
    expect(await loadPass(sold.phone, sold.pass)).toMatchObject(voided('event-cancelled'));
  });

  it('has a void pass while the payment is disputed, a valid one if the dispute is won, and none if lost [WALLET-2]', async () => {
    await fillBalance(app);
    for (const become of ['won', 'lost'] as const) {
      const { eventId, phone, pass } = await sellToPhone(app);
      const dispute = await disputePayment(app, eventId);
      await updateWallets(app);
      expect(await loadPass(phone, pass)).toMatchObject(voided('disputed'));
      await decideDispute(app, dispute, become);
      await updateWallets(app);
      expect(pushesTo(phone)).toHaveLength(2);
      const json = await loadPass(phone, pass);
      if (become === 'lost') expect(json).toMatchObject(voided('void'));
      else expect(json).not.toHaveProperty('voided');
    }
  });

  it('of the former holder learns that the ticket was transferred, and neither its number nor anything later [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    const email = `holder-${sold.buyer}`;
    expectOk(await app.call(transferTicket, { token: sold.token, position: 1, email }));
    const [token = ''] = (await emailsTo(app, email)).flatMap(
      ({ text }) => /\/ticket\/([\w.-]+)/.exec(text)?.[1] ?? [],
    );
    const [number = ''] = codesOf(expectOk(await app.call(readTicket, { token })));
    await updateWallets(app);
    expect(pushesTo(sold.phone)).toHaveLength(1);
    const json = await loadPass(sold.phone, sold.pass);
    expect(json).toMatchObject(voided('transferred'));
    expect(json).not.toHaveProperty('barcodes');
    for (const secret of [number, email, token]) expect(JSON.stringify(json)).not.toContain(secret);

    const theirs = await savePass(app, token);
    const phone = await phoneWith(app, theirs);
    expect(theirs.passId).not.toBe(sold.pass.passId);
    expect(theirs.json).toMatchObject({ barcodes: [{ message: number }] });
    expect((await sold.phone.load({ ...theirs, token: sold.pass.token })).status).toBe(401);
    await moveBy(app, sold, 1);
    await updateWallets(app);
    expect([pushesTo(sold.phone).length, pushesTo(phone).length]).toEqual([1, 1]);
    expect(await loadPass(phone, theirs)).toMatchObject({ barcodes: [{ message: number }] });
  });

  it('learns of a change that came before it registered [WALLET-2]', async () => {
    const sold = await sell(app);
    const pass = await savePass(app, sold.token);
    await moveBy(app, sold, 1);
    await updateWallets(app);
    const [late, other] = [await phoneWith(app, pass), newPhone(app)];
    await updateWallets(app);
    expect([pushesTo(late).length, pushesTo(other).length]).toEqual([1, 0]);
    await late.register(pass, { pushToken: other.pushToken });
    await updateWallets(app);
    expect([pushesTo(late).length, pushesTo(other).length]).toEqual([1, 1]);
    expect((await late.list())?.serialNumbers).toEqual([pass.passId]);
  });

  it('learns of each of several changes at least once, however they come, and shows the last [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    for (const title of ['One', 'Two', 'Three']) {
      await editEventOf(app, sold, { title });
      await Promise.all([updatePasses(app.deps), updatePasses(app.deps), loadPass(sold.phone, sold.pass)]);
    }
    await updateWallets(app);
    expect(pushesTo(sold.phone).length).toBeGreaterThan(0);
    expect((await loadPass(sold.phone, sold.pass))['description']).toBe(ticketFile.description('Three'));
    const pushes = pushesTo(sold.phone).length;
    await updateWallets(app);
    expect(pushesTo(sold.phone)).toHaveLength(pushes);
  });
});

describe('Google Wallet', () => {
  /** Follows the link to Google; nothing is saved there until its buttons are pressed. */
  async function saveAtGoogle(token: string, ticket = 1): Promise<string> {
    const reply = await app.visitor().fetch(`/order/${token}/google-wallet/${ticket}`);
    const jwt = (reply.headers.get('location') ?? '').split('/').at(-1) ?? '';
    const { payload } = decodeJwt<{ payload: { eventTicketObjects: { id: string }[] } }>(jwt);
    return payload.eventTicketObjects[0]?.id.replace(`${ISSUER}.`, '') ?? '';
  }

  it('gets the new date of a moved event, once for all its tickets [WALLET-2]', async () => {
    const sold = await sell(app, 2);
    const ids = [await saveAtGoogle(sold.token, 1), await saveAtGoogle(sold.token, 2)];
    await updateWallets(app);
    expect(changesOf(sold.eventId)).toEqual([]);
    const startsAt = await moveBy(app, sold, 2);
    await updateWallets(app);
    expect(changesOf(sold.eventId)).toEqual([
      {
        path: `/walletobjects/v1/eventTicketClass/${ISSUER}.${sold.eventId}`,
        body: expect.objectContaining({
          reviewStatus: 'UNDER_REVIEW',
          dateTime: expect.objectContaining({ start: localTimeWithOffset(startsAt, 'America/New_York') }),
        }),
      },
    ]);
    expect(ids.flatMap(changesOf)).toEqual([]);
  });

  it('gets a change that comes during another [WALLET-2]', async () => {
    const sold = await sell(app);
    await saveAtGoogle(sold.token);
    await app.endJobs();
    await moveBy(app, sold, 1);
    const release = google.hold();
    const first = updatePasses(app.deps);
    await expect.poll(() => changesOf(sold.eventId).length).toBe(1);
    const startsAt = await moveBy(app, sold, 1);
    await updatePasses(anotherServer(app.deps));
    release();
    await first;
    await updateWallets(app);
    expect(changesOf(sold.eventId)).toHaveLength(2);
    expect(changesOf(sold.eventId)[1]?.body).toMatchObject({
      dateTime: { start: localTimeWithOffset(startsAt, 'America/New_York') },
    });
    await app.restartJobs();
  });

  it('gets a ticket that expired by a refund or a transfer, without the new number [WALLET-2]', async () => {
    const sold = await sell(app, 2);
    const [refunded, transferred] = [await saveAtGoogle(sold.token, 1), await saveAtGoogle(sold.token, 2)];
    expectOk(await app.call(requestRefund, { eventId: sold.eventId, confirmationCode: sold.codes[0] ?? '' }));
    expectOk(await app.call(transferTicket, { token: sold.token, position: 2, email: `g-${sold.buyer}` }));
    await app.settle();
    await updateWallets(app);
    const last = (id: string) => changesOf(id).at(-1);
    expect(last(refunded)).toMatchObject({
      path: `/walletobjects/v1/eventTicketObject/${ISSUER}.${refunded}`,
      body: { state: 'EXPIRED', textModulesData: [{ body: ticketFile.whyVoided.refunded }] },
    });
    const { body } = last(transferred) ?? {};
    expect(body).toMatchObject({ state: 'EXPIRED', textModulesData: [{ body: ticketFile.whyVoided.transferred }] });
    expect(body).not.toHaveProperty('barcode');
    expect(body).not.toHaveProperty('ticketNumber');
    expect(google.state.granted).toBe(1);
  });

  it('is asked again when it fails, with a new token when the old one is refused [WALLET-2]', async () => {
    const sold = await sell(app);
    await saveAtGoogle(sold.token);
    await moveBy(app, sold, 1);
    google.state.status = 503;
    await updateWallets(app);
    expect(changesOf(sold.eventId)).toEqual([]);
    google.state.status = 200;
    google.state.access = 'second';
    await app.advance({ minutes: 3 });
    await updateWallets(app);
    await app.advance({ minutes: 10 });
    await updateWallets(app);
    expect(changesOf(sold.eventId)).toHaveLength(1);
    expect(google.state.granted).toBe(2);
  });

  it('learns of a change when a link is followed late: what it does not know is tried again [WALLET-2]', async () => {
    const sold = await sell(app);
    await saveAtGoogle(sold.token);
    google.state.saved = new Set();
    await moveBy(app, sold, 1);
    await updateWallets(app);
    await app.advance({ hours: 1 });
    google.state.saved = null;
    await updateWallets(app);
    expect(changesOf(sold.eventId)).toEqual([]);
    await app.advance({ hours: 24 });
    await updateWallets(app);
    expect(changesOf(sold.eventId)).toHaveLength(1);
  });

  it('learns of it within minutes when a link is asked for again', async () => {
    const sold = await sell(app);
    await saveAtGoogle(sold.token);
    google.state.saved = new Set();
    await moveBy(app, sold, 1);
    await updateWallets(app);
    google.state.saved = null;
    await saveAtGoogle(sold.token);
    await app.advance({ minutes: 6 });
    await updateWallets(app);
    expect(changesOf(sold.eventId)).toHaveLength(1);
  });
});

describe('what is stored of passes', () => {
  const rows = async (eventId: string) =>
    (await app.db.selectFrom('walletPasses').where('eventId', '=', eventId).selectAll().execute()).length +
    (await app.db.selectFrom('walletDevices').where('eventId', '=', eventId).selectAll().execute()).length;

  it('is deleted 30 days after the event [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    const until = async (days: number) => {
      await advanceAfter(app, sold, days);
      await purge(app.deps, { pageSize: 2 });
    };
    await until(retentionDays.walletPass - 1);
    expect(await rows(sold.eventId)).toBe(2);
    await until(retentionDays.walletPass);
    expect(await rows(sold.eventId)).toBe(0);
  });

  it("goes with a holder's data, without what the holder before has", async () => {
    const sold = await sellToPhone(app);
    const email = `gone-${sold.buyer}`;
    expectOk(await app.call(transferTicket, { token: sold.token, position: 1, email }));
    const [token = ''] = (await emailsTo(app, email)).flatMap(
      ({ text }) => /\/ticket\/([\w.-]+)/.exec(text)?.[1] ?? [],
    );
    await phoneWith(app, await savePass(app, token));
    expect(await rows(sold.eventId)).toBe(4);
    await openPayout(app, sold);
    await app.settle();
    expectOk(await app.call(deleteMyRecords, { token: await recordsLinkTo(app, email) }));
    const left = app.db.selectFrom('walletPasses').where('eventId', '=', sold.eventId).select('passId');
    expect(await left.execute()).toEqual([{ passId: sold.pass.passId }]);
    expect(await rows(sold.eventId)).toBe(2);
  });

  it("goes with the buyer's data", async () => {
    const sold = await sellToPhone(app);
    await openPayout(app, sold);
    await app.settle();
    expectOk(await app.call(deleteMyRecords, { token: await recordsLinkTo(app, sold.buyer) }));
    expect(await rows(sold.eventId)).toBe(0);
  });
});
