/** Shared by the organizer journeys: logged-in browsers, toasts and sent calls. */
import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { createEvent } from '#contract/app/events.ts';
import { acceptInvitation } from '#contract/app/team.ts';
import type { Role } from '#domain/accounts/roles.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { eventForm, expectOk, newOrganizer, onboardedOrganizer, verifiedOrganizer } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { sendInvitation } from '#tests/support/team.ts';
import { expect, openPage } from './journey.ts';

export { PASSWORD } from '#tests/support/people.ts';

export interface Organizer {
  email: string;
  visitor: Visitor;
}

/** Registered and logged in. */
export const newAccount = (product: Product): Promise<Organizer> => newOrganizer(siteOf(product), { isBrowser: true });

/** Registered and logged in, with a verified email. */
export const verifiedAccount = (product: Product): Promise<Organizer> =>
  verifiedOrganizer(siteOf(product), { isBrowser: true });

/** Verified, with account information and a payout account. */
export const readyOrganizer = (product: Product): Promise<Organizer> =>
  onboardedOrganizer(siteOf(product), { isBrowser: true });

/** A member who accepted an invitation, for all events or for chosen ones. */
export async function memberOf(
  product: Product,
  owner: { visitor: Visitor },
  role: Role,
  onlyEventIds: string[] | null = null,
): Promise<Organizer> {
  const member = await verifiedAccount(product);
  const token = await sendInvitation(siteOf(product), owner, { email: member.email, role, onlyEventIds });
  expectOk(await member.visitor.call(acceptInvitation, { token }));
  return member;
}

/** An event tomorrow evening, with two ticket types. */
export async function putOnSale(
  product: Product,
  { visitor }: Organizer,
  change: Parameters<typeof eventForm>[1] = {},
) {
  const { status, body } = await visitor.call(createEvent, eventForm(siteOf(product), change));
  if (status !== 200) throw new Error(`no event: ${body.msg}`);
  return body;
}

/** A browser context without animations: these journeys wait for many toasts to go. */
export const newWindow = (browser: Browser, product: Product, options: BrowserContextOptions = {}): Promise<Page> =>
  openPage(browser, product, { reducedMotion: 'reduce', ...options });

/** The organizer's browser, already logged in. */
export async function browserOf(
  { visitor }: Organizer,
  browser: Browser,
  product: Product,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await newWindow(browser, product, options);
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: product.url }));
  await page.context().addCookies(cookies);
  return page;
}

export async function openProfile(page: Page): Promise<void> {
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
}

/** Of each event that has a card. */
export async function showDetails(page: Page): Promise<void> {
  const buttons = page.getByRole('article').getByRole('button', { name: 'Show Details', exact: true });
  await expect(buttons.first()).toBeVisible();
  // The button of shown details has another name.
  while ((await buttons.count()) > 0) await buttons.first().click();
  const shown = await page.getByRole('article').getByRole('button', { name: 'Hide Details', exact: true }).count();
  // Their code loads with the first press.
  await expect(page.getByRole('article').getByRole('heading', { level: 4, name: / sold/ })).toHaveCount(shown);
}

export const press = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click();

export const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/**
 * Fills fields by their form names, once all are there: after a navigation, the last screen's form stays for a moment,
 * and may have a field of the same name.
 */
export async function fillIn(form: Locator, values: Record<string, string>): Promise<void> {
  const fieldOf = (name: string) => form.locator(`[name="${name}"]`);
  for (const name of Object.keys(values)) await fieldOf(name).waitFor({ state: 'attached' });
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(name);
    const closed = form.locator('details:not([open])').filter({ has: form.page().locator(`[name="${name}"]`) });
    if ((await closed.count()) > 0) await closed.locator('summary').click();
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
}

const toasts = (page: Page) => page.locator('#toasts .Toastify__toast');

/** Expects exactly these toasts in this order, then dismisses them. */
export async function expectToasts(page: Page, messages: string[]): Promise<void> {
  await untilToasts(page, messages.length);
  await expect(toasts(page)).toHaveText(messages);
  await dismissToasts(page);
}

/** Without the pointer, which would wait until a toast that comes and goes has stopped moving. */
export async function dismissToasts(page: Page): Promise<void> {
  await page
    .locator('#toasts')
    .getByRole('button', { name: 'Dismiss message' })
    .evaluateAll((buttons) => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click();
    });
  await untilToasts(page, 0);
  await expect(toasts(page)).toHaveCount(0);
}

/** Polls every frame: the assertion that follows polls more slowly, but explains a failure. */
async function untilToasts(page: Page, count: number): Promise<void> {
  const isSo = (wanted: number) => document.querySelectorAll('#toasts .Toastify__toast').length === wanted;
  await page.waitForFunction(isSo, count, { timeout: 3000 }).catch(() => undefined);
}

export interface SentCall {
  address: string;
  body: unknown;
  headers: Record<string, string>;
}

/** Changes that the page requests, as `POST /api/...`. Fills while the page is used. */
export function callsOf(page: Page): SentCall[] {
  const calls: SentCall[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/') || request.method() === 'GET') return;
    const isJson = request.headers()['content-type']?.startsWith('application/json');
    const body: unknown = isJson ? request.postDataJSON() : request.postData();
    calls.push({ address: `${request.method()} ${pathname}`, body, headers: request.headers() });
  });
  return calls;
}

/** How a call fails: no answer, an answer without a message, or one with a message. */
export type Failure = 'unanswered' | 'speechless' | { msg: string };

/** Makes calls to a path fail while `act` runs. */
export async function failing(page: Page, path: string, failure: Failure, act: () => Promise<void>): Promise<void> {
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  await page.route(`**${path}`, (route) => {
    resolve();
    if (failure === 'unanswered') return route.abort();
    const body = failure === 'speechless' ? {} : failure;
    return route.fulfill({ status: failure === 'speechless' ? 500 : 409, json: body });
  });
  await act();
  // Before it, what `act` waits for can be on the page already, of the failure before.
  await failed;
  await page.unroute(`**${path}`);
}

/** Without a message from the server, the screen shows its own. */
export async function expectFallback(
  page: Page,
  path: string,
  act: () => Promise<void>,
  message: string,
): Promise<void> {
  for (const failure of ['speechless', 'unanswered'] as const)
    await failing(page, path, failure, async () => {
      await act();
      await expectToasts(page, [message]);
    });
}

/** Holds back a call until the returned function is called. */
export async function delayCall(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**${path}`, (route) => promise.then(() => route.continue()));
  return resolve;
}

/** Closes the pages of a finished test: each uses memory, and polls. */
export async function closeWindows({ browser }: { browser: Browser }): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}
