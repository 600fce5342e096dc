/** The activity of an organization, the operator's log and the view of support. */
import { apiKeysPage } from '#messages/programs/api-keys-page.ts';
import { referencePage } from '#messages/programs/api-reference.ts';
import { webhookLog, webhooksPage } from '#messages/programs/webhooks.ts';
import { activityPage, auditPage } from '#messages/records/audit.ts';
import { planTexts } from '#messages/records/plans.ts';
import { viewingTexts } from '#messages/records/viewing.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newApiKey } from '#tests/support/api-keys.ts';
import { buyTickets, generalAdmission, newOrganizer } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { newWebhook, startReceiver } from '#tests/support/webhook-receiver.ts';
import { expect, openPage, test } from '../journeys/journey.ts';
import { browserOf, dialogOf, openProfile, press, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { logIn } from '../journeys/organizer-steps.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

for (const variant of VARIANTS) {
  test(`activity and affiliate codes, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    await putOnSale(product, organizer);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto('/organization/activity');
    await expect(page.getByRole('table', { name: activityPage.caption })).toBeVisible();
    await take(page, `${variant.name}/activity`);
    await openProfile(page);
    await press(page, 'Affiliate Program');
    await dialogOf(page, 'Affiliate Program').getByRole('button', { name: 'Generate Code' }).click();
    await expect(dialogOf(page, 'Affiliate Program').getByRole('table')).toBeVisible();
    await take(page, `${variant.name}/affiliate-codes`);
    await page.context().close();
  });

  test(`API keys and the reference, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    await putOnSale(product, organizer);
    await newApiKey(organizer.visitor);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto('/organization/api');
    await expect(page.getByRole('table', { name: apiKeysPage.caption })).toBeVisible();
    await take(page, `${variant.name}/api-keys`);
    await press(page, apiKeysPage.create);
    const dialog = dialogOf(page, apiKeysPage.createTitle);
    await take(page, `${variant.name}/api-key-dialog`);
    await dialog.getByRole('textbox', { name: apiKeysPage.name }).fill('Newsletter');
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByRole('button', { name: apiKeysPage.send }).click();
    await expect(page.getByText(apiKeysPage.made)).toBeVisible();
    await take(page, `${variant.name}/api-key-made`);
    await page.goto('/api/v1/docs');
    await expect(page.getByRole('heading', { name: referencePage.title })).toBeVisible();
    await expect(page.getByLabel(referencePage.search)).toBeVisible();
    await take(page, `${variant.name}/api-reference`);
    await page.context().close();
  });

  test(`webhooks, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    const receiver = await startReceiver(({ type }) => ({ status: type === 'webhook.test' ? 500 : 200 }));
    await newWebhook(
      organizer.visitor,
      { url: 'http://127.0.0.1:9/bookkeeping' },
      { types: ['payout.paid', 'refund.sent'] },
    );
    const { endpointId } = await newWebhook(organizer.visitor, receiver);
    await buyTickets(siteOf(product), eventId, generalAdmission(2));
    await expect.poll(() => receiver.received.length).toBe(1);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto('/organization/api');
    await expect(page.getByRole('table', { name: webhooksPage.caption })).toBeVisible();
    await take(page, `${variant.name}/webhooks`);
    await press(page, webhooksPage.create);
    await take(page, `${variant.name}/webhook-dialog`);
    await page.goto(`/organization/webhooks/${endpointId}`);
    await press(page, webhookLog.test);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
    await page.reload();
    await expect(page.getByRole('table', { name: webhookLog.caption })).toContainText('500');
    await take(page, `${variant.name}/webhook-log`);
    await press(page, webhookLog.rotate);
    await dialogOf(page, webhookLog.rotateTitle).getByRole('button', { name: webhookLog.rotate }).click();
    await expect(page.getByText(webhooksPage.rotated)).toBeVisible();
    await take(page, `${variant.name}/webhook-rotated`);
    await page.context().close();
    await receiver.close();
  });

  test(`the operator's log and support's view, ${variant.name}`, async ({ browser, product, db }) => {
    const owner = await readyOrganizer(product);
    await putOnSale(product, owner);
    const operator = await newOrganizer(siteOf(product));
    await appointAdmin({ db }, { email: operator.email, isAdmin: true });
    const page = await openPage(browser, product, settingsOf(variant));
    await logIn(page, operator.email);
    await page.goto('/dashboard/audit');
    await expect(page.getByRole('link', { name: auditPage.download })).toBeVisible();
    await expect(page.getByRole('table')).toBeVisible();
    await take(page, `${variant.name}/audit-log`);
    await page.goto('/dashboard/plans');
    await expect(page.getByRole('table')).toBeVisible();
    await take(page, `${variant.name}/plans`);
    await press(page, planTexts.add);
    await take(page, `${variant.name}/plan-dialog`);
    await page.keyboard.press('Escape');
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { name: viewingTexts.title })).toBeVisible();
    await take(page, `${variant.name}/dashboard-view-as`);
    await page.getByLabel(viewingTexts.organization).fill(owner.email);
    await press(page, viewingTexts.submit);
    await page.waitForURL('**/profile');
    await expect(page.getByText('as support')).toBeVisible();
    await take(page, `${variant.name}/viewing`);
    await page.context().close();
  });
}
