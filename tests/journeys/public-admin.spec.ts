import type { Page } from '@playwright/test';
import { adminOverview } from '#contract/app/admin.ts';
import { factorOffer } from '#messages/accounts/factors.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newOrganizer } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { logIn } from './organizer-steps.ts';
import { expect, mockCall, test } from './public-setup.ts';

const WELCOME = { level: 1, name: 'Welcome Admin!', exact: true } as const;

const navigation = (page: Page) => page.getByRole('dialog', { name: 'Navigation' });
const openNavigation = (page: Page) => page.getByRole('button', { name: 'Open navigation' }).click();

/** An unsigned token, which only the page believes. */
const forgedToken = (isAdmin: boolean) =>
  `e30.${Buffer.from(JSON.stringify({ isAdmin, exp: 4_000_000_000 })).toString('base64url')}.e30`;

async function setToken(page: Page, product: Product, isAdmin: boolean): Promise<void> {
  await page.context().addCookies([{ name: 'token', value: forgedToken(isAdmin), url: product.url }]);
}

test.describe('The dashboard', () => {
  test('welcomes an admin with the totals of all events, and offers a second factor [ADM-1 LOGIN-3 AUTH-7]', async ({
    page,
    db,
    stage,
  }) => {
    const { email } = await newOrganizer(stage.site);
    await appointAdmin({ db }, { email, isAdmin: true });
    await logIn(page, email);
    await openNavigation(page);
    await navigation(page).getByRole('link', { name: 'Dashboard' }).click();

    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('heading', WELCOME)).toBeVisible();
    const offer = page.getByRole('link', { name: factorOffer.setUp });
    await expect(offer).toHaveAttribute('href', '/organization/security');
    const sales = page.getByRole('region', { name: 'Sales' });
    await expect(sales).toContainText(/Tickets sold\s*[1-9]/);
    await expect(sales).toContainText(/Gross sales\s*\$/);
    await expect(page.getByRole('region', { name: 'Money' })).toContainText(/Owed to organizers\s*\$/);

    await mockCall(page, adminOverview.path, { status: 500 });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('alert')).toContainText('Something went wrong on our side. Please try again.');
    await expect(page.getByRole('heading', WELCOME)).toBeVisible();
  });

  test('welcomes no one else [ADM-1]', async ({ page, stage }) => {
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: 'For admins only' })).toBeVisible();
    const { email } = await newOrganizer(stage.site);
    await logIn(page, email);
    await page.goto('/dashboard');

    await expect(page.getByRole('heading', { level: 1, name: 'For admins only' })).toBeVisible();
    await expect(page.getByText('Welcome Admin!')).toHaveCount(0);
  });

  test('shows no totals to a token that only claims to be an admin [ADM-1]', async ({ page, product }) => {
    await setToken(page, product, true);
    // The first call that is refused removes the cookie. Those of the top bar may come before the dashboard reads it.
    await page.route('**/api/**', (route) =>
      route.request().url().endsWith(adminOverview.path) ? route.fallback() : route.abort(),
    );
    const refused = page.waitForResponse((response) => response.url().endsWith(adminOverview.path));
    await page.goto('/dashboard');

    expect((await refused).status()).toBe(401);
    await expect(page.getByRole('heading', WELCOME)).toBeVisible();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Sales' })).toHaveCount(0);
  });
});

test.describe('The navigation', () => {
  for (const isAdmin of [true, false]) {
    test(`reads once if a visitor is an admin, here ${isAdmin ? 'one' : 'none'} [NAV-6]`, async ({ page, product }) => {
      const links = navigation(page).getByRole('link', { name: 'Dashboard' });
      await setToken(page, product, isAdmin);
      await page.goto('/FAQ');
      await openNavigation(page);
      await expect(links).toHaveCount(isAdmin ? 1 : 0);
      await setToken(page, product, !isAdmin);
      await navigation(page).getByRole('link', { name: 'Terms And Conditions' }).click();
      // A navigation that arrives late closes the panel.
      await expect(page.getByRole('heading', { level: 1, name: 'Terms And Conditions' })).toBeVisible();
      await openNavigation(page);
      await expect(navigation(page)).toBeVisible();
      await expect(links).toHaveCount(isAdmin ? 1 : 0);

      await page.reload();
      await openNavigation(page);
      await expect(links).toHaveCount(isAdmin ? 0 : 1);
    });
  }
});
