/** Attacks as the victim's browser sees them: nothing of the attacker's runs, and no page breaks. */
import type { Page, Request } from '@playwright/test';
import { login, profile } from '#contract/app/accounts.ts';
import { welcomeAdmin } from '#messages/operator.ts';
import { notFoundPage } from '#messages/pages.ts';
import { hostile, hostileEvent } from '#tests/support/hostile-text.ts';
import { buyTickets, codesOf, expectOk, PASSWORD } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { payWithCard } from './buyer-steps.ts';
import { expect, test } from './journey.ts';

const BUYER = 'buyer-of-harm@example.com';
const PHONE = { width: 390, height: 844 };

type Attack = Awaited<ReturnType<typeof hostileEvent>> & { sessionId: string; numbers: string[] };
const attacks = new WeakMap<Product, Promise<Attack>>();

async function prepareAttack(product: Product): Promise<Attack> {
  const site = siteOf(product);
  const event = await hostileEvent(site);
  const items = [hostile.ticketName, hostile.longName].map((ticketName) => ({ ticketName, quantity: 1 }));
  const order = await buyTickets(site, event.eventId, items, BUYER);
  return { ...event, sessionId: order.sessionId, numbers: codesOf(order) };
}

const hostileTest = test.extend<{ attack: Attack }>({
  attack: async ({ product }, use) => {
    const attack = attacks.get(product) ?? prepareAttack(product);
    attacks.set(product, attack);
    await use(await attack);
  },
  page: async ({ page }, use) => {
    await page.setViewportSize(PHONE);
    // Injected code calls this; defined in every page and frame before its own scripts run.
    await page.addInitScript(() =>
      Object.assign(window, { boom: () => document.documentElement.setAttribute('data-boom', '') }),
    );
    await use(page);
  },
});

/** No injected code ran, no injected element exists, and the page is as wide as the phone. */
async function expectUnharmed(page: Page, ...typed: string[]): Promise<void> {
  for (const text of typed) await expect(page.getByText(text, { exact: false }).first()).toBeVisible();
  const found = await page.evaluate(() => ({
    ran: document.documentElement.hasAttribute('data-boom'),
    made: document.querySelectorAll(
      '[onerror],[onload],[onmouseover],[srcdoc],[src="x"],[href^="javascript:"],main style',
    ).length,
    width: document.documentElement.scrollWidth,
  }));
  expect(found, page.url()).toEqual({ ran: false, made: 0, width: PHONE.width });
}

/** Goes to the payment page with one ticket. */
async function checkOut(page: Page, eventId: string): Promise<void> {
  await page.goto(`/payment/${eventId}`);
  for (const name of [/add to cart/i, /checkout/i]) await page.getByRole('button', { name }).first().click();
}

async function logInAs(page: Page, email: string, product: Product): Promise<void> {
  const visitor = siteOf(product).visitor({ isBrowser: true });
  expectOk(await visitor.call(login, { email, password: PASSWORD }));
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: product.url }));
  await page.context().addCookies(cookies);
}

hostileTest.describe('Malicious text', () => {
  hostileTest('stays text on the event page, in its cart and on its map', async ({ page, attack }) => {
    await page.goto(`/payment/${attack.eventId}`);
    await expect(page).toHaveTitle(`${hostile.title} · Handstamp`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(hostile.title);
    await expectUnharmed(
      page,
      '{{777*777}} ${777*777} <%= 777*777 %>',
      hostile.street,
      hostile.organizationName,
      hostile.longName,
    );

    for (const add of await page.getByRole('button', { name: /add to cart/i }).all()) await add.click();
    await expectUnharmed(page, hostile.ticketName);
    await page.getByRole('region', { name: 'Location' }).scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: hostile.title }).click();
    await expect(page.locator('.leaflet-popup')).toHaveText(hostile.title);
    await expectUnharmed(page);
  });

  hostileTest('stays text on the payment page, in the confirmation and in the email', async ({ page, attack }) => {
    await checkOut(page, attack.eventId);
    await page.waitForURL(/\/sandbox\/pay\//);
    await expectUnharmed(page, hostile.ticketName);
    await payWithCard(page, 'another@example.com');
    await expectUnharmed(page, hostile.ticketName, hostile.title);

    await page.goto(`/sandbox/inbox?to=${BUYER}`);
    await expectUnharmed(page, hostile.title);
    await page.getByRole('link', { name: hostile.title }).click();
    const message = page.frameLocator('iframe');
    await expect(message.getByText(hostile.ticketName).first()).toBeVisible();
    expect(await message.locator('[onerror],[src="x"],[href^="javascript:"],script').count()).toBe(0);
    await expectUnharmed(page);
  });

  hostileTest('stays text on the refund page and at check-in', async ({ page, attack }) => {
    await page.goto(`/refund/${attack.eventId}`);
    await expectUnharmed(page, hostile.title);
    await page.goto(`/payment/${attack.eventId}`);
    await page.getByRole('button', { name: 'I am an Attendant' }).click();
    await expect(page.getByRole('heading', { level: 1, name: hostile.title })).toBeVisible();
    await expectUnharmed(page);
    await page.getByLabel('Attendant Code').fill(attack.attendantCode);
    await page.getByRole('button', { name: 'Open the scanner' }).click();
    for (const number of attack.numbers) {
      await page.getByLabel('Confirmation Code').fill(number);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await expect(page.getByRole('main').getByRole('status')).toContainText(number.slice(-4));
      await expectUnharmed(page);
    }
  });

  hostileTest('stays text in its organizer’s profile and guest list', async ({ page, attack, product }) => {
    await logInAs(page, attack.email, product);
    await page.goto('/profile');
    await expectUnharmed(page, hostile.organizationName, hostile.title);
    await page.getByRole('button', { name: 'Show Details' }).click();
    await page.getByRole('button', { name: 'Show Guest List' }).click();
    await expectUnharmed(page, BUYER);
    await page.getByRole('button', { name: 'Edit Event' }).click();
    await expect(page.locator('[name="title"]')).toHaveValue(hostile.title);
    await expectUnharmed(page);
  });
});

hostileTest.describe('A made-up address', () => {
  for (const path of [
    '//evil.example',
    '//evil.example/login',
    '/\\evil.example',
    '/javascript:boom()',
    '/login//evil.example',
  ]) {
    hostileTest(`stays on this origin and shows the not-found page: ${path}`, async ({ page, product }) => {
      await page.goto(`${product.url}${path}`);
      await expect(page.getByRole('heading', { level: 1, name: notFoundPage })).toBeVisible();
      expect(new URL(page.url()).origin).toBe(product.url);
      await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
      await expect(page).toHaveURL(`${product.url}/`);
    });
  }

  hostileTest('does not redirect after login, whatever its parameters ask for', async ({ page, attack, product }) => {
    await page.goto('/login?next=//evil.example&redirect=javascript:boom()&registered');
    await page.getByLabel('Email').fill(attack.email);
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(`${product.url}/profile`);
  });

  hostileTest('does not redirect after sign-up, whatever the answer says', async ({ page, product }) => {
    for (const url of ['//evil.example', 'https://evil.example', 'javascript:boom()']) {
      await page.route('**/api/public/register', (route) => route.fulfill({ json: { url } }));
      await page.goto('/register');
      await page.getByLabel('Email').fill('x@example.com');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('Confirm password').fill('correct horse battery');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Register' }).click();
      // The profile needs a session.
      await expect(page).toHaveURL(`${product.url}/login`);
    }
  });

  hostileTest('does not lead a buyer to another payment page', async ({ page, attack, product }) => {
    const answer = { id: 'cs_1', url: 'https://checkout.stripe.com.evil.example/pay' };
    await page.route('**/api/public/create-checkout-session', (route) => route.fulfill({ json: answer }));
    await checkOut(page, attack.eventId);
    await expect(page.locator('#toasts .Toastify__toast')).toHaveCount(1);
    expect(page.url()).toBe(`${product.url}/payment/${attack.eventId}`);
  });
});

hostileTest.describe('A lying browser', () => {
  hostileTest("shows an admin's heading for a forged token, and no totals", async ({ page, product }) => {
    const claims = { isAdmin: true, exp: 4_000_000_000 };
    const token = `a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.b`;
    await page.context().addCookies([{ name: 'token', value: token, url: product.url }]);
    const denied = page.waitForResponse((reply) => reply.url().includes('/api/protected/admin/'));
    // Answered once the heading was seen, because the denial replaces it.
    const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
    await page.route('**/api/protected/**', async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: welcomeAdmin })).toBeVisible();
    see();
    expect((await denied).status()).toBe(401);
    await expect(page.getByText(/\$\d/)).toHaveCount(0);
  });

  hostileTest(
    'has nothing left of a logged-out user: in cookies, memory or the history',
    async ({ page, attack, product }) => {
      await page.goto('/login');
      await page.getByLabel('Email').fill(attack.email);
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Login' }).click();
      await expect(page.getByText(hostile.organizationName).first()).toBeVisible();
      await page.evaluate(() => {
        sessionStorage.setItem('cart:x', '[]');
        localStorage.setItem('draft', 'mine');
      });
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();

      const cookies = (await page.context().cookies()).map(({ name }) => name);
      expect(cookies.filter((name) => ['token', 'session', 'XSRF-TOKEN'].includes(name))).toEqual([]);
      expect(await page.evaluate(() => [localStorage.getItem('draft'), sessionStorage.getItem('cart:x')])).toEqual([
        null,
        null,
      ]);
      await page.goto('/legal');
      await page.goBack();
      await page.goBack();
      await expect(page.getByText(hostile.organizationName)).toHaveCount(0);
      expect((await page.context().request.get(`${product.url}${profile.path}`)).status()).toBe(401);
    },
  );
});

hostileTest.describe('Injected code', () => {
  hostileTest.use({ expectsReports: true });

  hostileTest('does not run, and the browser reports it', async ({ page, policyReports }) => {
    await page.goto('/faq');
    const tried = await page.evaluate(() => {
      const script = document.createElement('script');
      const main = document.querySelector('main') ?? document.body;
      const attempt = (work: () => unknown) => {
        try {
          work();
          return 'done';
        } catch (error) {
          return error instanceof Error ? error.name : 'failed';
        }
      };
      return [
        attempt(() => Object.assign(main, { innerHTML: '<img src=x onerror=boom()>' })),
        attempt(() => Object.assign(script, { text: 'boom()' })),
        attempt(() => Object.assign(script, { src: 'https://evil.example/x.js' })),
        attempt(() => Reflect.apply(setTimeout, window, ['boom()'])),
        attempt(() => main.setAttribute('onclick', 'boom()')),
        attempt(() => Object.assign(document.createElement('iframe'), { srcdoc: '<script>boom()</script>' })),
      ];
    });
    expect(tried).not.toContain('done');
    // Deferred, because what the test itself evaluates may use eval.
    await page.evaluate(() => void setTimeout(() => Reflect.get(window, 'eval')('boom()')));
    await page.evaluate(() => {
      const style = document.createElement('style');
      style.append('main { display: none }');
      document.head.append(style);
    });
    await expect(page.getByRole('main')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.hasAttribute('data-boom'))).toBe(false);

    // The list that fails every other journey.
    const sinks = [
      'innerHTML',
      'HTMLScriptElement text',
      'HTMLScriptElement src',
      'setTimeout',
      'onclick',
      'srcdoc',
      'eval',
    ];
    await expectReported(policyReports, [
      ...sinks.map((sink) => `require-trusted-types-for .*${sink}\\|`),
      'style-src',
    ]);
  });

  hostileTest('reaches no other host: no image, request, frame or form', async ({ page, policyReports }) => {
    const asked: Request[] = [];
    page.on('request', (request) => asked.push(request));
    await page.goto('/faq');
    await page.evaluate(async () => {
      const at = (path: string) => `https://evil.example/${path}`;
      document.body.append(Object.assign(new Image(), { src: at('picture') }));
      document.body.append(Object.assign(document.createElement('iframe'), { src: at('frame') }));
      const form = Object.assign(document.createElement('form'), { action: at('form'), method: 'post' });
      document.body.append(form);
      form.submit();
      navigator.sendBeacon(at('beacon'));
      await fetch(at('call')).catch(() => {});
    });
    await expectReported(policyReports, [
      'img-src .*/picture',
      'frame-src .*evil',
      'form-action .*/form',
      'connect-src .*/beacon',
      'connect-src .*/call',
    ]);
    // Requests that the browser blocked earlier are not among them.
    const external = () => asked.filter((request) => request.url().includes('evil.example'));
    await expect
      .poll(() => new Set(external().map((request) => request.failure()?.errorText)))
      .toEqual(new Set(['csp']));
  });
});

/** At least once each; reports arrive asynchronously. */
async function expectReported(reports: string[], violations: string[]): Promise<void> {
  for (const violation of violations) {
    const isThere = new RegExp(`securitypolicyviolation: ${violation}`);
    await expect.poll(() => reports.some((report) => isThere.test(report)), violation).toBe(true);
  }
}
