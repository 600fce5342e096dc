/** A scanner with an unreliable network, and the data that remains on the phone. */
import type { Page } from '@playwright/test';
import { changeAttendantCode, checkGuest, checkGuestManual, enterAttendantCode } from '#contract/app/check-in.ts';
import { checkInDashboard, offlineTicketList } from '#contract/app/check-in-devices.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { removeMember } from '#contract/app/team.ts';
import { shiftEnded } from '#messages/check-in.ts';
import { grantExpired, offlineListMissing, unsyncedScans } from '#messages/check-in-offline.ts';
import type { Db } from '#server/platform/database.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { buyTickets, cardWith, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { openPage } from './journey.ts';
import { browserOf, memberOf } from './organizer-page.ts';
import { expect, okay, type Stage, test as staged, toasts } from './public-setup.ts';

interface CheckInEvent {
  eventId: string;
  attendantCode: string;
  organizer: Stage['organizer'];
  /** Sold tickets, by their state when the network goes away. */
  valid: string[];
  usedElsewhere: string[];
  refunded: string[];
  disputed: string[];
}

const test = staged.extend<{ door: CheckInEvent }>({
  door: async ({ stage }, use) => use(await prepareEvent(stage)),
});

async function prepareEvent({ site }: Stage): Promise<CheckInEvent> {
  const { eventId, attendantCode, visitor } = await eventOnSale(site);
  const sold = codesOf(await buyTickets(site, eventId, generalAdmission(32)));
  const disputed = codesOf(
    await buyTickets(site, eventId, generalAdmission(3), 'pat@example.com', cardWith('4000 0000 0000 0259')),
  );
  const [valid, usedElsewhere, refunded] = [sold.slice(0, 22), sold.slice(22, 28), sold.slice(28)];
  const other = await openDevice(site, { eventId, attendantCode }, 'Gate 1');
  for (const confirmationNumber of usedElsewhere) okay(await other.call(checkGuest, { eventId, confirmationNumber }));
  for (const confirmationCode of refunded) okay(await site.call(requestRefund, { eventId, confirmationCode }));
  await site.settle();
  return { eventId, attendantCode, organizer: visitor, valid, usedElsewhere, refunded, disputed };
}

/** A device that stays online. */
async function openDevice(
  site: Stage['site'],
  { eventId, attendantCode }: Pick<CheckInEvent, 'eventId' | 'attendantCode'>,
  deviceName: string,
): Promise<Stage['organizer']> {
  const visitor = site.visitor();
  okay(await visitor.call(enterAttendantCode, { eventId, formData: { attendantCode, deviceName } }));
  return visitor;
}

const attendantCode = (page: Page) => page.getByLabel('Attendant Code');
const codeField = (page: Page) => page.getByLabel('Confirmation Code');
const answer = (page: Page) => page.getByRole('main').getByRole('status');
const ADMITTED = 'Let them in · saved offline';

async function enter(page: Page, door: CheckInEvent, deviceName = 'Gate 2'): Promise<void> {
  await page.goto(`/scanner?event=${door.eventId}`);
  await enterCode(page, door.attendantCode, deviceName);
}

async function enterCode(page: Page, code: string, deviceName: string): Promise<void> {
  await attendantCode(page).fill(code);
  await page.getByLabel('Device name').fill(deviceName);
  const list = page.waitForResponse((reply) => reply.url().endsWith(offlineTicketList.path) && reply.ok());
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(codeField(page)).toBeVisible();
  await list;
  await expect.poll(async () => (await storedIn(page)).lists).toBe(1);
}

async function check(page: Page, code: string): Promise<void> {
  await codeField(page).fill(code);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(codeField(page)).toHaveValue('');
}

/** Check-in data in the browser's storage. `databases` includes empty ones. */
async function storedIn(page: Page): Promise<{ databases: string[]; lists: number; waiting: number; keys: string[] }> {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
    const keys = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    if (!databases.includes('door')) return { databases, lists: 0, waiting: 0, keys };
    const answerOf = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('nothing is kept'));
      });
    const opening = indexedDB.open('door');
    // It was deleted meanwhile; opening would create an empty one.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    const base = await answerOf(opening).catch(() => null);
    if (!base) return { databases: databases.filter((name) => name !== 'door'), lists: 0, waiting: 0, keys };
    const stores = base.transaction(['tickets', 'scans']);
    const lists = await answerOf(stores.objectStore('tickets').count());
    const scans: { confirmationNumber: string | null }[] = await answerOf(stores.objectStore('scans').getAll());
    base.close();
    return { databases, lists, waiting: scans.filter((scan) => scan.confirmationNumber !== null).length, keys };
  });
}

const waitingOn = async (page: Page) => (await storedIn(page)).waiting;

/** Waits until the service worker has cached the scanner's page. */
const untilPageIsCached = (page: Page) =>
  page.evaluate(async () => {
    const worker = (await navigator.serviceWorker.ready).active;
    if (worker?.state === 'activated') return;
    await new Promise((resolve) => worker?.addEventListener('statechange', resolve, { once: true }));
  });

interface Shown {
  code: string;
  message: RegExp;
}

const all = (codes: readonly string[], message: RegExp): Shown[] => codes.map((code) => ({ code, message }));

/** Fifty codes of all kinds. A repeated code is a copy. */
function fiftyCodes(
  { valid, usedElsewhere, refunded, disputed }: CheckInEvent,
  ofOtherEvent: readonly string[],
): Shown[] {
  return [
    ...all(valid, new RegExp(`${ADMITTED}.*General admission`)),
    ...all(valid.slice(0, 5), /Already scanned at \d+:\d\d.[AP]M, Gate 2\./),
    ...all(usedElsewhere, /Already scanned\./),
    ...all(refunded, /This ticket has been refunded\./),
    ...all(disputed, /The payment for this ticket is disputed\./),
    ...all(ofOtherEvent, /may have sold after \d+:\d\d.[AP]M/),
    ...all(['1000000019', '9999999967', '1234567891', '4004004003'], /may have sold after/),
    ...all(['0123456789', '123456789', 'ABCDEFGHIJ', '12345 6789'], /No ticket for this event has this code\./),
  ];
}

test.describe('A phone without a network', () => {
  test('shows the right result for fifty codes of all kinds, and the server agrees after the sync', async ({
    browser,
    product,
    stage,
    door,
    db,
  }) => {
    const page = await phoneOf(product, browser);
    const warnings: string[] = [];
    page.on('dialog', (dialog) => {
      warnings.push(dialog.type());
      void dialog.accept();
    });
    await enter(page, door);
    await untilPageIsCached(page);
    await page.context().setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Basement Brass' })).toBeVisible();

    const offlineSince = stage.site.now().getTime();
    const { numbers: ofOtherEvent } = await stage.sell(2);
    const shown = fiftyCodes(door, ofOtherEvent);
    expect(shown).toHaveLength(50);
    for (const [index, { code, message }] of shown.entries()) {
      await check(page, code);
      await expect(answer(page), `${index}: ${code}`).toContainText(`…${code.slice(-4)}`);
      await expect(answer(page), `${index}: ${code}`).toContainText(message);
      if (index !== 30) continue;
      // A restart in between loses nothing.
      await page.reload();
      await expect(codeField(page)).toBeVisible();
      expect(warnings).toEqual(['beforeunload']);
    }
    expect(await waitingOn(page)).toBe(door.valid.length);
    const onlineAgainAt = stage.site.now().getTime();
    await page.context().setOffline(false);
    await expect.poll(() => waitingOn(page)).toBe(0);

    const scanned = await db
      .selectFrom('tickets')
      .innerJoin('checkInDevices', (join) =>
        join
          .onRef('checkInDevices.id', '=', 'tickets.scannedBy')
          .onRef('checkInDevices.eventId', '=', 'tickets.eventId'),
      )
      .where('tickets.eventId', '=', door.eventId)
      .where('tickets.state', '=', 'scanned')
      .select(['confirmationNumber', 'name', 'scannedAt'])
      .execute();
    const numbersOf = (name: string) => scanned.filter((one) => one.name === name).map((one) => one.confirmationNumber);
    expect(numbersOf('Gate 2').sort()).toEqual([...door.valid].sort());
    expect(numbersOf('Gate 1').sort()).toEqual([...door.usedElsewhere].sort());
    for (const { name, scannedAt } of scanned) {
      if (name !== 'Gate 2') continue;
      expect(scannedAt?.getTime()).toBeGreaterThan(offlineSince - 2000);
      expect(scannedAt?.getTime()).toBeLessThan(onlineAgainAt + 2000);
    }
    expect(await outcomesIn(db, door)).toEqual({ first: door.valid.length });
    await check(page, door.valid[0] ?? '');
    await expect(answer(page)).toContainText(/Already scanned at .*, Gate 2\./);
    await page.context().close();
  });

  test('decides alone after two slow answers, and tries the server again later', async ({
    browser,
    product,
    door,
    db,
  }) => {
    const [first = '', second = '', third = '', fourth = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    let asked = 0;
    await page.route(`**${checkGuestManual.path}`, () => {
      asked += 1;
      return new Promise(() => {});
    });
    await page.route(`**${offlineTicketList.path}`, () => new Promise(() => {}));
    for (const code of [first, second, third]) {
      await check(page, code);
      await expect(answer(page)).toContainText(`…${code.slice(-4)}`);
      // Without a list on the phone it would take 10 s.
      await expect(answer(page)).toContainText(ADMITTED, { timeout: 8_000 });
    }
    expect(asked).toBe(2);
    expect(await waitingOn(page)).toBe(3);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate(() => window.dispatchEvent(new Event('online')));

    await expect.poll(() => waitingOn(page), { timeout: 40_000 }).toBe(0);
    await check(page, fourth);
    await expect(answer(page)).toContainText('Let them in');
    expect(await outcomesIn(db, door)).toEqual({ first: 3 });
    await page.context().close();
  });

  test('shows a quiet message for a guest who was checked in elsewhere meanwhile', async ({
    browser,
    product,
    stage,
    door,
    db,
  }) => {
    const [twice = '', once = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    await page.context().setOffline(true);
    for (const code of [twice, once]) {
      await check(page, code);
      await expect(answer(page)).toContainText(`…${code.slice(-4)}`);
    }
    const other = await openDevice(stage.site, door, 'Gate 3');
    okay(await other.call(checkGuest, { eventId: door.eventId, confirmationNumber: twice }));
    await page.context().setOffline(false);

    const note = toasts(page).filter({ hasText: '1 ticket scanned offline had already been scanned elsewhere.' });
    await expect(note).toHaveAttribute('role', /^(?!alert)/);
    expect(await outcomesIn(db, door)).toEqual({ first: 1, double: 1 });
    await page.context().close();
  });

  test('admits a ticket once across several tabs', async ({ browser, product, door }) => {
    const [code = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    const tab = await page.context().newPage();
    // Misses the other tab's message: the shared storage decides.
    await tab.addInitScript(() => {
      BroadcastChannel.prototype.addEventListener = () => {};
    });
    await tab.goto(`/scanner?event=${door.eventId}`);
    await expect(codeField(tab)).toBeVisible();
    await page.context().setOffline(true);
    await check(page, code);
    await expect(answer(page)).toContainText(ADMITTED);
    await check(tab, code);

    await expect(answer(tab)).toContainText('Already scanned');
    expect(await waitingOn(tab)).toBe(1);
    await page.context().close();
  });
});

test.describe('Check-in data on a phone', () => {
  test('is deleted when its attendant leaves', async ({ browser, product, door }) => {
    const page = await phoneOf(product, browser);
    await enter(page, door);
    expect((await storedIn(page)).databases).toContain('door');
    expect((await storedIn(page)).keys).toContain('scanner-device-name');
    await page.getByRole('button', { name: 'End shift' }).click();

    await expect(attendantCode(page)).toBeVisible();
    await expect(toasts(page).filter({ hasText: shiftEnded })).toHaveCount(1);
    const { databases, keys } = await storedIn(page);
    expect(databases).toEqual([]);
    expect(keys.filter((key) => /door|scanner/.test(key))).toEqual([]);
    await page.context().close();
  });

  test('is deleted when the code changes, except for scans that wait for the new one', async ({
    browser,
    product,
    door,
    db,
  }) => {
    const [first = '', second = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    await page.context().setOffline(true);
    for (const code of [first, second]) {
      await check(page, code);
      await expect(answer(page)).toContainText(`…${code.slice(-4)}`);
    }
    const { attendantCode: newCode } = okay(await door.organizer.call(changeAttendantCode, { eventId: door.eventId }));
    await page.context().setOffline(false);

    await expect(page.getByText(unsyncedScans(2))).toBeVisible();
    expect(await storedIn(page)).toMatchObject({ lists: 0, waiting: 2 });
    await enterCode(page, newCode, 'Gate 2');
    await expect.poll(() => waitingOn(page)).toBe(0);
    expect(await outcomesIn(db, door)).toEqual({ first: 2 });
    await page.context().close();
  });

  test('keeps the scans of a member who was removed, and syncs them once they enter the code [ORG-4]', async ({
    browser,
    product,
    door,
    db,
  }) => {
    const { eventId } = door;
    const [first = '', second = ''] = door.valid;
    const helper = await memberOf(product, { visitor: door.organizer }, 'check-in', [eventId]);
    const page = await browserOf(helper, browser, product, PHONE);
    await page.goto(`/scanner?event=${eventId}`);
    await expect(codeField(page)).toBeVisible();
    await expect.poll(async () => (await storedIn(page)).lists).toBe(1);
    const { devices } = okay(await door.organizer.call(checkInDashboard, { eventId }));
    const [name] = helper.email.split('@');
    expect(devices.find((device) => device.name === name)).toMatchObject({ state: 'open', isMember: true });

    await page.context().setOffline(true);
    for (const code of [first, second]) {
      await check(page, code);
      await expect(answer(page)).toContainText(`…${code.slice(-4)}`);
    }
    const { userId } = await actorOf(db, helper.email);
    okay(await door.organizer.call(removeMember, { userId }));
    await page.context().setOffline(false);

    await expect(page.getByText(unsyncedScans(2))).toBeVisible();
    expect(await storedIn(page)).toMatchObject({ lists: 0, waiting: 2 });
    await enterCode(page, door.attendantCode, 'Gate 3');
    await expect.poll(() => waitingOn(page)).toBe(0);
    expect(await outcomesIn(db, door)).toEqual({ first: 2 });
    await page.context().close();
  });

  test('expires with the grant, even offline, and is deleted with the scans that are discarded', async ({
    browser,
    product,
    door,
  }) => {
    const [code = '', later = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    await page.context().setOffline(true);
    await check(page, code);
    await expect(answer(page)).toContainText(ADMITTED);
    // Moves only the time, not the timers: the phone slept through the night.
    await page.evaluate(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 13 * 60 * 60 * 1000;
    });
    await check(page, later).catch(() => {});

    await expect(page.getByText(grantExpired).first()).toBeVisible();
    await expect(page.getByText(offlineListMissing)).toBeVisible();
    expect(await storedIn(page)).toMatchObject({ lists: 0, waiting: 1 });
    await page.getByRole('button', { name: 'End shift' }).click();
    await page.getByRole('button', { name: 'Discard 1 scan and end shift' }).click();
    await expect.poll(async () => (await storedIn(page)).databases).toEqual([]);
    await page.context().close();
  });
});

const PHONE = { viewport: { width: 390, height: 844 } };

const phoneOf = (product: Product, browser: Parameters<typeof openPage>[0]) => openPage(browser, product, PHONE);

async function outcomesIn(db: Db, { eventId }: CheckInEvent): Promise<Record<string, number>> {
  const rows = await db.selectFrom('offlineScans').where('eventId', '=', eventId).select('result').execute();
  const counts: Record<string, number> = {};
  for (const { result } of rows) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
