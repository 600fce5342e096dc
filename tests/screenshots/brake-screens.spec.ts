/** What operators stop and plan, what a stopped event looks like, and the dialog that asks who is there. */
import { reauthentication } from '#messages/accounts.ts';
import { brakeTexts, searchTexts } from '#messages/operations/brakes.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, openPage, test } from '../journeys/journey.ts';
import { browserOf, dialogOf, openProfile, press, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { logIn } from '../journeys/organizer-steps.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

for (const variant of VARIANTS) {
  test(`brakes, plans and reports, ${variant.name}`, async ({ browser, product, db }) => {
    const owner = await readyOrganizer(product);
    const title = `Night of ${variant.name}`;
    const { eventId } = await putOnSale(product, owner, { title });
    const operator = await newOrganizer(siteOf(product));
    await appointAdmin({ db }, { email: operator.email, isAdmin: true });

    const buyer = await openPage(browser, product, settingsOf(variant));
    await buyer.goto(`/report/${eventId}`);
    await take(buyer, `${variant.name}/report`);

    const page = await openPage(browser, product, settingsOf(variant));
    await logIn(page, operator.email);
    await page.goto('/dashboard');
    await page.getByLabel(searchTexts.label).fill(title);
    await page.getByLabel(searchTexts.label).press('Enter');
    await press(page, new RegExp(`^${brakeTexts['stop-sales'].label}`));
    await dialogOf(page, brakeTexts['stop-sales'].label).getByLabel('Reason').fill('We are checking a report.');
    await take(page, `${variant.name}/stop-sales`);
    await press(dialogOf(page, brakeTexts['stop-sales'].label), brakeTexts['stop-sales'].label);
    await expect(page.getByText(brakeTexts['stop-sales'].done)).toBeVisible();
    await take(page, `${variant.name}/dashboard-brakes`);
    await page.goto('/dashboard/plans');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await take(page, `${variant.name}/plans`);

    await buyer.goto(`/payment/${eventId}`);
    await take(buyer, `${variant.name}/event-stopped`);
    const organizer = await browserOf(owner, browser, product, settingsOf(variant));
    await openProfile(organizer);
    await take(organizer, `${variant.name}/profile-stopped`);
    await db
      .updateTable('sessions')
      .set({ reauthenticatedAt: new Date(0) })
      .execute();
    await press(organizer, 'Stripe Dashboard');
    await expect(dialogOf(organizer, reauthentication.title)).toBeVisible();
    await take(organizer, `${variant.name}/reauthentication`);
  });
}
