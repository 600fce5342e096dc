import type { Page } from '@playwright/test';
import { supportAccount, supportMailbox } from '#messages/contacts.ts';
import { expect, mockCall, msWhile, type Stage, test, toasts } from './public-setup.ts';

const LINKS = {
  Home: '/',
  Register: '/register',
  Login: '/login',
  'Forgot Password': '/forgot-password',
  'Terms And Conditions': '/legal',
  FAQ: '/FAQ',
};

const everyAddress = ({ onSale }: Stage) => [
  '/register',
  '/login',
  '/forgot-password',
  '/reset-password/some-token',
  '/verify-email',
  '/profile',
  '/change-email',
  '/confirm-email-change?token=some-token',
  '/undo-email-change?token=some-token',
  '/invitation?token=some-token',
  `/payment/${onSale.eventId}`,
  `/refund/${onSale.eventId}`,
  `/report/${onSale.eventId}`,
  `/contact/${onSale.eventId}`,
  `/payment/${onSale.eventId}/changes`,
  '/success',
  '/scanner',
  '/legal',
  '/FAQ',
  '/dashboard',
  '/nowhere',
];

const navigation = (page: Page) => page.getByRole('dialog', { name: 'Navigation' });
const openNavigation = (page: Page) => page.getByRole('button', { name: 'Open navigation' }).click();

test.describe('Every page', () => {
  test('closes the navigation when the browser goes back or forward [NAV-1]', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
    await expect(page).toHaveURL(/\/register$/);
    // A new page closes the navigation.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await openNavigation(page);
    await expect(navigation(page)).toBeVisible();

    await page.goBack();
    await expect(page).toHaveURL(/\/login$/);
    await expect(navigation(page)).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.goForward();
    await expect(page).toHaveURL(/\/register$/);
    await expect(navigation(page)).toBeHidden();
  });

  test('opens the navigation by its button, and closes it by its button or a link [NAV-1]', async ({ page }) => {
    await page.goto('/');
    await expect(navigation(page)).toBeHidden();
    await openNavigation(page);
    await expect(navigation(page)).toBeVisible();
    await navigation(page).getByRole('button', { name: 'Close navigation' }).click();
    await expect(navigation(page)).toBeHidden();

    await openNavigation(page);
    await navigation(page).getByRole('link', { name: 'FAQ' }).click();
    await expect(page).toHaveURL(/\/FAQ$/);
    await expect(navigation(page)).toBeHidden();
  });

  test('shows the logo and six links in the navigation [NAV-2]', async ({ page }) => {
    await page.goto('/login');
    await openNavigation(page);

    await expect(navigation(page).getByText('Handstamp', { exact: true })).toBeVisible();
    await expect(navigation(page).locator('svg').first()).toBeVisible();
    for (const [name, href] of Object.entries(LINKS))
      await expect(navigation(page).getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
    await expect(navigation(page).getByRole('link')).toHaveCount(Object.keys(LINKS).length);
  });

  test('has a footer, and a logo that leads home except from home [NAV-3 NAV-4]', async ({ page, stage }) => {
    const logo = page.getByRole('banner').getByRole('link', { name: 'Handstamp, home' });
    for (const address of everyAddress(stage)) {
      await page.goto(address);
      await expect(logo, address).toHaveAttribute('href', '/');
      await expect(page.getByRole('contentinfo'), address).toContainText('A product of Handstamp Software.');
    }
    await logo.click();

    await expect(page).toHaveURL(/:\d+\/$/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Sell it.');
    await expect(logo).toHaveCount(0);
    await expect(page.getByRole('banner').getByText('Handstamp')).toBeVisible();
  });

  test('has the terms, two contacts, the year and the company in its footer [NAV-4]', async ({ page }) => {
    await page.goto('/FAQ');
    const footer = page.getByRole('contentinfo');

    await expect(footer.locator('a[href="/Legal"]')).toBeVisible();
    await expect(footer.locator(`a[href="mailto:${supportMailbox}"]`)).toHaveText(supportMailbox);
    await expect(footer.locator(`a[href="${supportAccount.url}"]`)).toContainText(supportAccount.name);
    const year = new Date().getUTCFullYear();
    await expect(footer).toContainText(`© ${year} Handstamp. A product of Handstamp Software.`);
    await footer.locator('a[href="/Legal"]').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms And Conditions' })).toBeVisible();
  });
});

test.describe('A broken page', () => {
  test('says that its screen could not load, and keeps the navigation [NAV-5]', async ({ page }) => {
    await page.goto('/');
    await page.route('**/static/js/*LegalScreen*', (route) => route.abort());
    await page.getByRole('contentinfo').locator('a[href="/Legal"]').click();

    await expect(page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' })).toBeVisible();
    await expect(page).toHaveTitle(/^Unexpected Application Error!/);
    await openNavigation(page);
    await navigation(page).getByRole('link', { name: 'FAQ' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Frequently asked questions' })).toBeVisible();
  });

  test('says that its frame failed, and offers to reload [NAV-5]', async ({ page }) => {
    await page.addInitScript(() => {
      Date.prototype.getFullYear = () => {
        throw new Error('a broken clock');
      };
    });
    await page.goto('/login');

    await expect(page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
    await expect(page.getByText('a broken clock')).toBeHidden();
  });
});

test.describe('Toasts', () => {
  test('show one per broken rule at the top right, and nothing is sent [NAV-7 REG-6]', async ({ page }) => {
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.goto('/register');
    await page.getByLabel('Email').fill('no address');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByLabel('Confirm Password', { exact: true }).fill('another horse');
    await page.getByRole('button', { name: 'Register' }).click();

    await expect(toasts(page)).toHaveCount(3);
    expect((await toasts(page).allInnerTexts()).sort()).toEqual([
      'Email must be a valid email address.',
      'Passwords do not match.',
      'Please accept the terms and conditions.',
    ]);
    const boxes = await Promise.all((await toasts(page).all()).map((toast) => toast.boundingBox()));
    const { width } = page.viewportSize() ?? { width: 0 };
    for (const box of boxes) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(width - 60);
    expect(Math.min(...boxes.map((box) => box?.y ?? Infinity))).toBeLessThan(100);
    expect(sent).toEqual([]);
  });

  test('disappear after five seconds [NAV-7]', async ({ page }) => {
    await mockCall(page, '/api/protected/login', { status: 500 });
    await page.goto('/login');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    const stood = msWhile(page, () => document.querySelector('#toasts .Toastify__toast') !== null);
    await page.keyboard.press('Enter');
    await expect(toasts(page)).toHaveText(['Login failed.']);

    await expect(toasts(page)).toHaveCount(0);
    expect(await stood).toBeGreaterThan(4000);
    expect(await stood).toBeLessThan(9000);
  });
});

test.describe('Public pages', () => {
  test('ignore the case of addresses [NAV-8]', async ({ page, product }) => {
    for (const [address, heading] of [
      ['/legal', 'Terms And Conditions'],
      ['/Legal', 'Terms And Conditions'],
      ['/FAQ', 'Frequently asked questions'],
      ['/faq', 'Frequently asked questions'],
    ]) {
      const reply = await page.goto(address ?? '');
      expect(reply?.status()).toBe(200);
      expect(page.url()).toBe(`${product.url}${address}`);
      await expect(page.getByRole('heading', { level: 1, name: heading ?? '' })).toBeVisible();
    }
  });

  test('show a hero, three blurbs, the prices and a way to start on the home page [HOME-1]', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Sell it\.\s*Scan it\.\s*Get paid\./);
    await expect(page.getByText('Fri, Jun 12 · 8 PM', { exact: true })).toBeVisible();
    const blurbs = page.getByRole('region', { name: 'What Handstamp does' });
    await expect(blurbs.getByRole('heading', { level: 2 })).toHaveText(['Sell', 'Scan', 'Get paid']);
    const pricing = page.getByRole('region', { name: 'Pricing' });
    for (const name of ['Standard', 'Pro', 'Enterprise'])
      await expect(pricing.getByRole('heading', { level: 3, name, exact: true })).toBeVisible();

    const start = page.getByRole('main').getByRole('link', { name: 'Get started' }).first();
    await expect(start).toHaveAttribute('href', '/Register');
    await start.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Register' })).toBeVisible();
  });

  test('show that Standard is $15 per event, two plans come later, and ticket fees are extra [HOME-2]', async ({
    page,
  }) => {
    await page.goto('/');
    const pricing = page.getByRole('region', { name: 'Pricing' });

    await expect(pricing.getByText('$15 per event', { exact: true })).toBeVisible();
    await expect(pricing.getByRole('listitem')).toHaveText([/2 active events/, /24\/7 support/i, /next-day payouts/i]);
    await expect(pricing.getByText('Ticket fees are not included.')).toBeVisible();
    for (const plan of ['Pro', 'Enterprise']) {
      const card = pricing.locator('div').filter({ has: page.getByRole('heading', { name: plan, exact: true }) });
      await expect(card.last()).toContainText(/coming soon/i);
      await expect(card.last().getByRole('link')).toHaveCount(0);
    }

    await pricing.getByRole('slider', { name: 'Paid tickets sold' }).fill('500');
    await expect(pricing.getByText('Ticket fees, 1.8% + $0.50 per paid ticket')).toBeVisible();
  });

  test('answer questions of event owners and attendees in the FAQ [HOME-3]', async ({ page }) => {
    await page.goto('/FAQ');
    for (const [name, question, answer] of [
      ['For event owners', 'When do I get paid?', 'starting 24 hours after the event ends'],
      ['For event owners', 'What does it cost?', '2.0% + $0.75'],
      ['For event owners', 'When does the reduced ticket fee apply?', 'at least 500 paid tickets'],
      ['For attendees', /refund/i, '24 hours'],
    ] as const) {
      const entry = page.getByRole('region', { name }).getByRole('group').filter({ hasText: question }).first();
      await entry.locator('summary').click();
      await expect(entry).toContainText(answer);
    }
  });

  test('find the FAQ questions with every word of a search', async ({ page }) => {
    await page.goto('/FAQ');
    const search = page.getByLabel('Search questions');
    const found = page.locator('search').getByRole('status');
    await search.fill('reduced fee');
    await expect(found).toHaveText('1 question');
    await expect(page.getByRole('group')).toHaveText(/When does the reduced ticket fee apply/);
    await search.fill('reduced zeppelin');
    await expect(found).toHaveText('No results for "reduced zeppelin".');
    await expect(page.getByRole('group')).toHaveCount(0);
    await search.fill('');
    await expect(page.getByRole('group').first()).toBeVisible();
  });

  test('have three legal documents with their dates and rules [HOME-4]', async ({ page }) => {
    await page.goto('/legal');
    const terms = page.getByRole('article', { name: 'Terms of service' });
    const privacy = page.getByRole('article', { name: 'Privacy policy' });

    await expect(terms).toContainText('Effective 2/25/2024');
    await expect(privacy).toContainText('Effective 2/25/2025');
    await expect(page.getByRole('article', { name: 'Cookie policy' })).toContainText('Effective 2/25/2025');
    await expect(terms).toContainText('Organizers must be at least 18 years old');
    await expect(terms).toContainText('a processing fee of $15 per event');
    await expect(terms).toContainText('The ticket fee is 2.0% + $0.75 per paid ticket.');
    await expect(terms).toContainText('Sell 500 or more paid tickets and it drops to 1.8% + $0.50');
    await expect(terms).toContainText('from its sale until 24 hours after the event ends');
    await expect(terms).toContainText('Starting 24 hours after the event ends, the organizer can request its payout');
    await expect(privacy).toContainText('We do not serve children under 13');
  });
});
