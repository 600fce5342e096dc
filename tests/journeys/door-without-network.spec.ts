/** A phone at the door whose network comes and goes, and what is left on it in the end. */
import type { Page } from '@playwright/test';
import { changeAttendantCode, checkGuest, checkGuestManual, enterAttendantCode } from '#contract/admission.ts';
import { doorLeft, doorList, grantOver, noListYet, scansWait } from '#contract/door.ts';
import { requestRefund } from '#contract/refunds.ts';
import type { Db } from '#server/database.ts';
import { buyTickets, cardWith, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { openPage } from './journey.ts';
import { expect, okay, type Stage, test as staged, toasts } from './public-stage.ts';

interface Door {
  eventId: string;
  attendantCode: string;
  organizer: Stage['organizer'];
  /** Sold, by what became of them before the network went away. */
  valid: string[];
  usedElsewhere: string[];
  refunded: string[];
  disputed: string[];
}

const test = staged.extend<{ door: Door }>({
  door: async ({ stage }, use) => use(await openDoorOf(stage)),
});

async function openDoorOf({ place }: Stage): Promise<Door> {
  const { eventId, attendantCode, visitor } = await eventOnSale(place);
  const sold = codesOf(await buyTickets(place, eventId, generalAdmission(32)));
  const disputed = codesOf(
    await buyTickets(place, eventId, generalAdmission(3), 'pat@example.com', cardWith('4000 0000 0000 0259')),
  );
  const [valid, usedElsewhere, refunded] = [sold.slice(0, 22), sold.slice(22, 28), sold.slice(28)];
  const other = await gateOf(place, { eventId, attendantCode }, 'Gate 1');
  for (const confirmationNumber of usedElsewhere) okay(await other.call(checkGuest, { eventId, confirmationNumber }));
  for (const confirmationCode of refunded) okay(await place.call(requestRefund, { eventId, confirmationCode }));
  await place.settle();
  return { eventId, attendantCode, organizer: visitor, valid, usedElsewhere, refunded, disputed };
}

/** A device that has its network. */
async function gateOf(
  place: Stage['place'],
  { eventId, attendantCode }: Pick<Door, 'eventId' | 'attendantCode'>,
  deviceName: string,
): Promise<Stage['organizer']> {
  const visitor = place.visitor();
  okay(await visitor.call(enterAttendantCode, { eventId, formData: { attendantCode, deviceName } }));
  return visitor;
}

const attendantCode = (page: Page) => page.getByLabel('Attendant Code');
const typedCode = (page: Page) => page.getByLabel('Confirmation Code');
const answer = (page: Page) => page.getByRole('main').getByRole('status');
const LET_IN = 'Let them in · saved offline';

async function enter(page: Page, door: Door, deviceName = 'Gate 2'): Promise<void> {
  await page.goto(`/scanner?event=${door.eventId}`);
  await enterCode(page, door.attendantCode, deviceName);
}

async function enterCode(page: Page, code: string, deviceName: string): Promise<void> {
  await attendantCode(page).fill(code);
  await page.getByLabel('Device name').fill(deviceName);
  const list = page.waitForResponse((reply) => reply.url().endsWith(doorList.path) && reply.ok());
  await page.getByRole('button', { name: 'Open the scanner' }).click();
  await expect(typedCode(page)).toBeVisible();
  await list;
  await expect.poll(async () => (await keptIn(page)).lists).toBe(1);
}

async function check(page: Page, code: string): Promise<void> {
  await typedCode(page).fill(code);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(typedCode(page)).toHaveValue('');
}

/** What the browser keeps of doors: straight from its storage. `databases` holds also what is empty. */
async function keptIn(page: Page): Promise<{ databases: string[]; lists: number; waiting: number; keys: string[] }> {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
    const keys = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    if (!databases.includes('door')) return { databases, lists: 0, waiting: 0, keys };
    const answerOf = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('nothing is kept'));
      });
    const base = await answerOf(indexedDB.open('door'));
    const stores = base.transaction(['tickets', 'scans']);
    const lists = await answerOf(stores.objectStore('tickets').count());
    const scans: { confirmationNumber: string | null }[] = await answerOf(stores.objectStore('scans').getAll());
    base.close();
    return { databases, lists, waiting: scans.filter((scan) => scan.confirmationNumber !== null).length, keys };
  });
}

const waitingOn = async (page: Page) => (await keptIn(page)).waiting;

/** Runs until the worker of the scanner's page has kept what it needs. */
const untilPageIsKept = (page: Page) =>
  page.evaluate(async () => {
    const worker = (await navigator.serviceWorker.ready).active;
    if (worker?.state === 'activated') return;
    await new Promise((resolve) => worker?.addEventListener('statechange', resolve, { once: true }));
  });

interface Shown {
  code: string;
  says: RegExp;
}

const all = (codes: readonly string[], says: RegExp): Shown[] => codes.map((code) => ({ code, says }));

/** Fifty, of all kinds. What comes twice is somebody's copy. */
function fiftyCodes({ valid, usedElsewhere, refunded, disputed }: Door, ofOtherEvent: readonly string[]): Shown[] {
  return [
    ...all(valid, new RegExp(`${LET_IN}.*General admission`)),
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
  test('answers fifty codes of all kinds as it should, and the server agrees in the end', async ({
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
    await untilPageIsKept(page);
    await page.context().setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Basement Brass' })).toBeVisible();

    const wentOffAt = stage.place.now().getTime();
    const { numbers: ofOtherEvent } = await stage.sell(2);
    const shown = fiftyCodes(door, ofOtherEvent);
    expect(shown).toHaveLength(50);
    for (const [place, { code, says }] of shown.entries()) {
      await check(page, code);
      await expect(answer(page), `${place}: ${code}`).toContainText(`…${code.slice(-4)}`);
      await expect(answer(page), `${place}: ${code}`).toContainText(says);
      if (place !== 30) continue;
      // A phone that is restarted in between has lost nothing.
      await page.reload();
      await expect(typedCode(page)).toBeVisible();
      expect(warnings).toEqual(['beforeunload']);
    }
    expect(await waitingOn(page)).toBe(door.valid.length);
    const cameBackAt = stage.place.now().getTime();
    await page.context().setOffline(false);
    await expect.poll(() => waitingOn(page)).toBe(0);

    const came = await db
      .selectFrom('tickets')
      .innerJoin('doorDevices', (join) =>
        join.onRef('doorDevices.id', '=', 'tickets.scannedBy').onRef('doorDevices.eventId', '=', 'tickets.eventId'),
      )
      .where('tickets.eventId', '=', door.eventId)
      .where('tickets.state', '=', 'scanned')
      .select(['confirmationNumber', 'name', 'scannedAt'])
      .execute();
    const numbersOf = (name: string) => came.filter((one) => one.name === name).map((one) => one.confirmationNumber);
    expect(numbersOf('Gate 2').sort()).toEqual([...door.valid].sort());
    expect(numbersOf('Gate 1').sort()).toEqual([...door.usedElsewhere].sort());
    for (const { name, scannedAt } of came) {
      if (name !== 'Gate 2') continue;
      expect(scannedAt?.getTime()).toBeGreaterThan(wentOffAt - 2000);
      expect(scannedAt?.getTime()).toBeLessThan(cameBackAt + 2000);
    }
    expect(await outcomesIn(db, door)).toEqual({ first: door.valid.length });
    await check(page, door.valid[0] ?? '');
    await expect(answer(page)).toContainText(/Already scanned at .*, Gate 2\./);
    await page.context().close();
  });

  test('decides by itself when the server takes too long twice, and asks it again later', async ({
    browser,
    product,
    door,
    db,
  }) => {
    const [first = '', second = '', third = '', fourth = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    for (const path of [checkGuestManual.path, doorList.path])
      await page.route(`**${path}`, () => new Promise(() => {}));
    const waits: number[] = [];
    for (const code of [first, second, third]) {
      const askedAt = Date.now();
      await check(page, code);
      await expect(answer(page)).toContainText(`…${code.slice(-4)}`);
      await expect(answer(page)).toContainText(LET_IN);
      waits.push(Date.now() - askedAt);
    }
    expect(Math.max(...waits)).toBeLessThan(4000);
    expect(waits[2]).toBeLessThan(1500);
    expect(await waitingOn(page)).toBe(3);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate(() => window.dispatchEvent(new Event('online')));

    await expect.poll(() => waitingOn(page), { timeout: 40_000 }).toBe(0);
    await check(page, fourth);
    await expect(answer(page)).toContainText('Let them in');
    expect(await outcomesIn(db, door)).toEqual({ first: 3 });
    await page.context().close();
  });

  test('is told quietly of a guest who came in elsewhere meanwhile', async ({ browser, product, stage, door, db }) => {
    const [twice = '', once = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    await page.context().setOffline(true);
    for (const code of [twice, once]) {
      await check(page, code);
      await expect(answer(page)).toContainText(`…${code.slice(-4)}`);
    }
    const other = await gateOf(stage.place, door, 'Gate 3');
    okay(await other.call(checkGuest, { eventId: door.eventId, confirmationNumber: twice }));
    await page.context().setOffline(false);

    const note = toasts(page).filter({ hasText: '1 offline scan had already been scanned elsewhere.' });
    await expect(note).toHaveAttribute('role', /^(?!alert)/);
    expect(await outcomesIn(db, door)).toEqual({ first: 1, double: 1 });
    await page.context().close();
  });

  test('lets a ticket in once, in however many tabs it is shown', async ({ browser, product, door }) => {
    const [code = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    const tab = await page.context().newPage();
    // One that does not hear of the other in time: what both write decides.
    await tab.addInitScript(() => {
      BroadcastChannel.prototype.addEventListener = () => {};
    });
    await tab.goto(`/scanner?event=${door.eventId}`);
    await expect(typedCode(tab)).toBeVisible();
    await page.context().setOffline(true);
    await check(page, code);
    await expect(answer(page)).toContainText(LET_IN);
    await check(tab, code);

    await expect(answer(tab)).toContainText('Already scanned');
    expect(await waitingOn(tab)).toBe(1);
    await page.context().close();
  });
});

test.describe('What a phone keeps of a door', () => {
  test('is gone when its attendant leaves', async ({ browser, product, door }) => {
    const page = await phoneOf(product, browser);
    await enter(page, door);
    expect((await keptIn(page)).databases).toContain('door');
    expect((await keptIn(page)).keys).toContain('scanner-device-name');
    await page.getByRole('button', { name: 'End shift' }).click();

    await expect(attendantCode(page)).toBeVisible();
    await expect(toasts(page).filter({ hasText: doorLeft })).toHaveCount(1);
    const { databases, keys } = await keptIn(page);
    expect(databases).toEqual([]);
    expect(keys.filter((key) => /door|scanner/.test(key))).toEqual([]);
    await page.context().close();
  });

  test('is gone when the code is changed, but for scans that wait for the new one', async ({
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

    await expect(page.getByText(scansWait(2))).toBeVisible();
    expect(await keptIn(page)).toMatchObject({ lists: 0, waiting: 2 });
    await enterCode(page, newCode, 'Gate 2');
    await expect.poll(() => waitingOn(page)).toBe(0);
    expect(await outcomesIn(db, door)).toEqual({ first: 2 });
    await page.context().close();
  });

  test('ends with the grant, also without a network, and goes at last with scans that are given up', async ({
    browser,
    product,
    door,
  }) => {
    const [code = '', later = ''] = door.valid;
    const page = await phoneOf(product, browser);
    await enter(page, door);
    await page.context().setOffline(true);
    await check(page, code);
    await expect(answer(page)).toContainText(LET_IN);
    // Not the timers, only the time: the phone has slept through the night.
    await page.evaluate(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 13 * 60 * 60 * 1000;
    });
    await check(page, later).catch(() => {});

    await expect(page.getByText(grantOver).first()).toBeVisible();
    await expect(page.getByText(noListYet)).toBeVisible();
    expect(await keptIn(page)).toMatchObject({ lists: 0, waiting: 1 });
    await page.getByRole('button', { name: 'End shift' }).click();
    await page.getByRole('button', { name: 'Discard 1 scan and leave' }).click();
    await expect.poll(async () => (await keptIn(page)).databases).toEqual([]);
    await page.context().close();
  });
});

const phoneOf = (product: Product, browser: Parameters<typeof openPage>[0]) =>
  openPage(browser, product, { viewport: { width: 390, height: 844 } });

async function outcomesIn(db: Db, { eventId }: Door): Promise<Record<string, number>> {
  const rows = await db.selectFrom('offlineScans').where('eventId', '=', eventId).select('outcome').execute();
  const counts: Record<string, number> = {};
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
