/** Pushes to phones: repeated until they are sent, once by all processes, and a few a day. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UPDATED_DAYS, UPDATES_PER_DAY } from '#domain/sales/wallet-passes.ts';
import { appleWallet } from '#server/platform/adapters/wallets/apple-wallet.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { advanceToNext } from '#tests/support/money.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { makeAppleKeys } from '#tests/support/wallet-keys.ts';
import { WALLET_SITE } from '#tests/support/wallet-phone.ts';
import { startPushService } from '#tests/support/wallet-services.ts';
import {
  advanceAfter,
  claimedPasses,
  moveBy,
  phoneWith,
  sellToPhone,
  updateWallets,
} from '#tests/support/wallet-updates.ts';
import { updatePasses } from './update-passes.ts';

const keys = makeAppleKeys();

let app: TestApp;
let apple: Awaited<ReturnType<typeof startPushService>>;
beforeAll(async () => {
  apple = await startPushService(keys);
  app = await startTestApp({ wallets: { apple: await appleWallet(keys.pem, apple.service), google: null } });
  app.deps.publicUrl = WALLET_SITE;
});
afterAll(async () => {
  await app.close();
  await apple.close();
});
beforeEach(async () => {
  apple.answers.clear();
  await updateWallets(app);
});

const pushesTo = ({ pushToken }: { pushToken: string }) => apple.pushes.filter(({ token }) => token === pushToken);

describe('a push', () => {
  it('is repeated until the service takes it [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    const other = await phoneWith(app, sold.pass);
    apple.answers.set(other.pushToken, { status: 503, reason: 'ServiceUnavailable' });
    await editEventOf(app, sold, { title: 'Renamed' });
    await updateWallets(app);
    // Not at once: the service is given time.
    await updateWallets(app);
    expect([pushesTo(sold.phone).length, pushesTo(other).length]).toEqual([1, 1]);
    await app.advance({ minutes: 3 });
    apple.answers.clear();
    await updateWallets(app);
    // The other has it already.
    expect([pushesTo(sold.phone).length, pushesTo(other).length]).toEqual([1, 2]);
    await app.advance({ hours: 1 });
    await updateWallets(app);
    expect(pushesTo(other)).toHaveLength(2);
  });

  it('removes a phone that Apple no longer knows, and no other [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    const [removed, wrong] = [await phoneWith(app, sold.pass), await phoneWith(app, sold.pass)];
    apple.answers.set(removed.pushToken, { status: 410, reason: 'Unregistered' });
    apple.answers.set(wrong.pushToken, { status: 400, reason: 'BadDeviceToken' });
    await moveBy(app, sold, 1);
    await updateWallets(app);
    const devices = app.db.selectFrom('walletDevices').where('passId', '=', sold.pass.passId).select('deviceId');
    expect(await devices.execute()).toEqual([{ deviceId: sold.phone.deviceId }]);
    await moveBy(app, sold, 1);
    await updateWallets(app);
    expect([pushesTo(sold.phone).length, pushesTo(removed).length, pushesTo(wrong).length]).toEqual([2, 1, 1]);
  });

  it('is sent once by two processes at the same time [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    await app.endJobs();
    await moveBy(app, sold, 1);
    const release = apple.hold();
    const first = updatePasses(app.deps);
    await expect.poll(() => pushesTo(sold.phone).length).toBe(1);
    await updatePasses(anotherServer(app.deps));
    release();
    await first;
    await updatePasses(app.deps);
    expect(pushesTo(sold.phone)).toHaveLength(1);
    await app.restartJobs();
  });

  it('follows a change that comes while one is sent [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    await app.endJobs();
    await moveBy(app, sold, 1);
    const release = apple.hold();
    const first = updatePasses(app.deps);
    await expect.poll(() => pushesTo(sold.phone).length).toBe(1);
    await moveBy(app, sold, 1);
    await updatePasses(anotherServer(app.deps));
    const late = await phoneWith(app, sold.pass);
    release();
    await first;
    await updateWallets(app);
    expect([pushesTo(sold.phone).length, pushesTo(late).length]).toEqual([2, 1]);
    await app.restartJobs();
  });

  it('follows for a phone that registers while others are notified of what it missed [WALLET-2]', async () => {
    const sold = await sellToPhone(app);
    await app.endJobs();
    await moveBy(app, sold, 1);
    const release = apple.hold();
    const first = updatePasses(app.deps);
    await expect.poll(() => pushesTo(sold.phone).length).toBe(1);
    const late = await phoneWith(app, sold.pass);
    release();
    await first;
    await updateWallets(app);
    expect([pushesTo(sold.phone).length, pushesTo(late).length]).toEqual([1, 1]);
    await app.restartJobs();
  });

  it('is sent by another process if one dies at it', async () => {
    const sold = await sellToPhone(app);
    await app.endJobs();
    await app.db.updateTable('events').set({ title: 'Renamed' }).where('id', '=', sold.eventId).execute();
    const dying = Promise.withResolvers<never>();
    const wallet = app.deps.wallets.apple && { ...app.deps.wallets.apple, notify: () => dying.promise };
    void updatePasses({ ...app.deps, wallets: { apple: wallet, google: null } });
    await expect.poll(() => claimedPasses(app)).toBe(1);
    await updatePasses(app.deps);
    expect(pushesTo(sold.phone)).toEqual([]);
    await app.advance({ minutes: 6 });
    await updatePasses(app.deps);
    expect(pushesTo(sold.phone)).toHaveLength(1);
    await app.restartJobs();
  });

  it(`is sent ${UPDATES_PER_DAY} times a day at most; the rest follows on the next [WALLET-2]`, async () => {
    await advanceToNext(app, { seconds: 86_400 });
    const sold = await sellToPhone(app);
    for (let change = 0; change < UPDATES_PER_DAY + 3; change++) {
      await app.db
        .updateTable('events')
        .set({ title: `Title ${change}` })
        .where('id', '=', sold.eventId)
        .execute();
      await updateWallets(app);
    }
    expect(pushesTo(sold.phone)).toHaveLength(UPDATES_PER_DAY);
    await app.advance({ days: 1 });
    await updateWallets(app);
    expect(pushesTo(sold.phone)).toHaveLength(UPDATES_PER_DAY + 1);
  });

  it('is not sent once the event is long over', async () => {
    const sold = await sellToPhone(app);
    await advanceAfter(app, sold, UPDATED_DAYS);
    await app.db.updateTable('events').set({ title: 'Too late' }).where('id', '=', sold.eventId).execute();
    await updateWallets(app);
    expect(pushesTo(sold.phone)).toEqual([]);
  });
});
