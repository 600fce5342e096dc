/** Keys of programs, from the account to the first answer, and the reference that says what to ask. */
import { createEvent } from '#contract/v1/event-writes.ts';
import { listEvents } from '#contract/v1/events.ts';
import { apiKeysPage, keyRevoked, scopeMeaning } from '#messages/programs/api-keys-page.ts';
import { referencePage } from '#messages/programs/api-reference.ts';
import { newApiKey } from '#tests/support/api-keys.ts';
import { emailTo, expect, expectAccessible, expectFits, test } from './journey.ts';
import * as keyboard from './keyboard.ts';
import {
  browserOf,
  dialogOf,
  expectToasts,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

const title = 'Basement Brass';

test('a key is made with the keyboard, asks once, and is revoked [API-5]', async ({ browser, product }) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner, { title });
  const page = await browserOf(owner, browser, product, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openProfile(page);
  await page.getByRole('link', { name: apiKeysPage.title, exact: true }).click();
  await expect(page.getByText(apiKeysPage.none)).toBeVisible();
  await expectAccessible(page);

  await keyboard.press(page, page.getByRole('button', { name: apiKeysPage.create, exact: true }));
  const dialog = dialogOf(page, apiKeysPage.createTitle);
  await keyboard.type(page, dialog.getByRole('textbox', { name: apiKeysPage.name }), 'Turnstile');
  await dialog.getByLabel(scopeMeaning['events:read']).press('Space');
  await expectAccessible(page);
  await keyboard.press(page, dialog.getByRole('button', { name: apiKeysPage.send }));
  const made = dialogOf(page, apiKeysPage.madeTitle);
  await expect(made.getByText(apiKeysPage.made)).toBeVisible();
  await expectAccessible(page);
  const key = (await made.locator('code').textContent()) ?? '';
  await keyboard.press(page, made.getByRole('button', { name: apiKeysPage.copy }));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key);

  const answer = () => fetch(`${product.url}${listEvents.path}`, { headers: { authorization: `Bearer ${key}` } });
  const first = await answer();
  expect(first.status).toBe(200);
  expect(await first.text()).toContain(title);
  await emailTo(product, owner.email, /API key/);

  await keyboard.press(page, made.getByRole('button', { name: apiKeysPage.done }));
  await page.reload();
  const table = page.getByRole('table', { name: apiKeysPage.caption });
  await expect(table).toContainText('Turnstile');
  await expect(page.getByText(key)).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectFits(page);
  await expectAccessible(page);

  await keyboard.press(page, page.getByRole('button', { name: apiKeysPage.revokeLabel('Turnstile') }));
  await keyboard.press(page, dialogOf(page, apiKeysPage.revokeTitle).getByRole('button', { name: apiKeysPage.revoke }));
  await expectToasts(page, [keyRevoked]);
  await expect(table).toContainText('Revoked');
  expect((await answer()).status).toBe(401);
});

test('a draft that a program sends twice is on the home screen once [API-4] [API-12]', async ({ browser, product }) => {
  const owner = await readyOrganizer(product);
  const key = await newApiKey(owner.visitor);
  const send = () =>
    fetch(`${product.url}${createEvent.path}`, {
      method: createEvent.method,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'tour-2031', 'content-type': 'application/json' },
      body: JSON.stringify(createEvent.example),
    });

  const answers = [await send(), await send()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);

  const page = await browserOf(owner, browser, product);
  await openProfile(page);
  await expect(page.getByRole('article', { name: title })).toHaveCount(1);
});

test('the reference is read without an account, on a phone, without other sites [API-10]', async ({
  browser,
  product,
}) => {
  const page = await newWindow(browser, product);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto('/api/v1/docs');

  await expect(page.getByRole('heading', { level: 1, name: referencePage.title })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'One event', exact: true })).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
  await page.getByLabel(referencePage.search).fill('check_in');
  await expect(page.getByRole('heading', { name: 'One event', exact: true })).toBeHidden();
  await expect(page.getByText('already-in')).toBeVisible();
  await page.getByLabel(referencePage.search).fill('nothing like it');
  await expect(page.getByText(referencePage.noneFound)).toBeVisible();
  expect(new Set(asked)).toEqual(new Set([new URL(product.url).origin]));
});
