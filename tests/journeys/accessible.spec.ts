import type { Page } from '@playwright/test';
import { adminAlerts } from '#contract/app/alerts.ts';
import { teamPage } from '#messages/accounts/team.ts';
import { alertMessage } from '#messages/records/alerts.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { buyTickets, generalAdmission, logInAgain } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { newMember, sendInvitation } from '#tests/support/team.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';
import { demoIn } from './demo.ts';
import { expect, expectFits, expectReadable, openPage, test } from './journey.ts';
import { expectTabReachesAll, press } from './keyboard.ts';
import { browserOf, putOnSale, readyOrganizer, verifiedAccount } from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';
import { mockCall } from './public-setup.ts';

/** Narrowest screen that WCAG requires: 1280 pixels at 400 % zoom. */
const NARROW = { width: 320, height: 640 };

test.describe('On a narrow screen, in light and dark,', () => {
  test('each public screen is accessible and fits', async ({ browser, product }) => {
    const page = await openPage(browser, product, { viewport: NARROW });
    const { eventUrl } = demoIn(product.output());

    for (const address of ['/', '/register', '/login', '/FAQ', '/legal', '/success', '/nowhere', eventUrl]) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectFits(page);
      await expectReadable(page);
    }

    await page.getByRole('button', { name: 'Add to Cart' }).first().click();
    await expectFits(page);
    await expectReadable(page);
    await page.getByRole('button', { name: 'Checkout' }).first().click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await expectFits(page);
    await expectReadable(page);
  });

  test("the organizer's screens are accessible and fit", async ({ browser, product }) => {
    const page = await openPage(browser, product, { viewport: NARROW });
    const { email, password } = demoIn(product.output());
    await logIn(page, email, password);

    await page.getByRole('button', { name: 'Show Details' }).first().click();
    await page.getByRole('button', { name: 'Show Guest List' }).first().click();
    await expect(page.getByRole('button', { name: 'Resend Ticket' }).first()).toBeVisible();
    await expectFits(page);
    await expectReadable(page);
    for (const dialog of ['Create Event', 'Update Info', 'Add Photos', 'Arrange Photos']) {
      await page.getByRole('button', { name: dialog }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectFits(page);
      await expectReadable(page);
      await page.keyboard.press('Escape');
    }
  });

  test('the screens of an organization and its operator are accessible, fit, and need only a keyboard', async ({
    browser,
    product,
    db,
  }) => {
    const site = siteOf(product);
    const owner = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, owner);
    const { endpointId } = await newWebhook(owner.visitor, { url: 'http://127.0.0.1:9/hooks' });
    await buyTickets(site, eventId, generalAdmission(1));
    await newMember(site, owner, 'check-in', [eventId]);
    await sendInvitation(site, owner, { email: 'guest@example.com', role: 'viewer', onlyEventIds: [eventId] });
    const page = await browserOf(owner, browser, product, { viewport: NARROW });
    for (const address of [
      '/organization/security',
      '/organization/team',
      '/organization/activity',
      '/organization/api',
      `/organization/webhooks/${endpointId}`,
      '/organization/page',
      '/organization/funds',
      '/money',
      `/events/${eventId}`,
      `/events/${eventId}/sales`,
      `/events/${eventId}/links`,
      `/events/${eventId}/dates`,
      '/events/new',
      `/events/${eventId}/page`,
      `/events/${eventId}/tickets`,
      `/events/${eventId}/guests`,
      `/events/${eventId}/guests?view=print`,
      `/events/${eventId}/orders`,
      `/events/${eventId}/comps`,
    ])
      await expectUsable(page, address);

    await page.goto('/organization/team');
    await press(page, page.getByRole('button', { name: teamPage.invite }));
    await expectDialogUsable(page);

    await appointAdmin({ db }, { email: owner.email, isAdmin: true });
    await logInAgain(owner);
    const operator = await browserOf(owner, browser, product, { viewport: NARROW });
    const raisedAt = '2026-05-01T20:00:00.000Z';
    const alerts = [
      { id: 'a', kind: 'dispute-due', subject: 'x', raisedAt, lastSentAt: raisedAt },
      { id: 'b', kind: 'check-failed', subject: 'webhook', raisedAt, lastSentAt: null },
    ];
    await mockCall(operator, adminAlerts.path, { status: 200, json: { alerts, total: 2 } });
    await operator.goto('/dashboard');
    for (const { kind, subject } of alerts)
      await expect(operator.getByRole('listitem').filter({ hasText: alertMessage(kind, subject) })).toBeVisible();
    for (const address of ['/dashboard', '/dashboard/audit', '/dashboard/plans']) await expectUsable(operator, address);
  });

  test('the pages that emails and events link to are accessible, fit, and need only a keyboard', async ({
    browser,
    product,
  }) => {
    const owner = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, owner);
    const invited = await verifiedAccount(product);
    const token = await sendInvitation(siteOf(product), owner, { email: invited.email, role: 'viewer' });
    const page = await openPage(browser, product, { viewport: NARROW });
    for (const address of [
      `/report/${eventId}`,
      `/contact/${eventId}`,
      `/invitation?token=${token}`,
      '/confirm-email-change?token=some-token',
      '/undo-email-change?token=some-token',
      `/checked-in/${eventId}/some-token`,
      '/privacy',
      '/find-tickets',
    ])
      await expectUsable(page, address);
    const theirs = await browserOf(invited, browser, product, { viewport: NARROW });
    await expectUsable(theirs, `/invitation?token=${token}`);
  });
});

async function expectUsable(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  await expectTabReachesAll(page, page.locator('main'));
}

async function expectDialogUsable(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expectFits(page);
  await expectReadable(page);
  await expectTabReachesAll(page, dialog);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}
