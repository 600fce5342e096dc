/** Open disputes with what an operator finds and does, and the navigation of a person in two organizations. */
import { acceptInvitation } from '#contract/app/team.ts';
import { searchTexts } from '#messages/operations/brakes.ts';
import { expectOk } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { sendInvitation } from '#tests/support/team.ts';
import { expect } from '../journeys/journey.ts';
import { dispute, operatorsBrowser, seatsOnSale, sellSeats, test } from '../journeys/money-setup.ts';
import { browserOf, readyOrganizer, verifiedAccount } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

for (const variant of VARIANTS) {
  test(`disputes and the navigation, ${variant.name}`, async ({ browser, money }) => {
    const { eventId } = await seatsOnSale(money, `Strings of ${variant.name}`);
    const { email } = await sellSeats(money, eventId, 2);
    await dispute(money, eventId);
    const page = await operatorsBrowser(money, browser, settingsOf(variant));
    await page.clock.setFixedTime(money.site.now());
    await page.goto('/dashboard');
    await page.getByLabel(searchTexts.label).fill(email);
    await page.getByLabel(searchTexts.label).press('Enter');
    await expect(page.getByRole('list', { name: searchTexts.orders })).toBeVisible();
    await take(page, `${variant.name}/dashboard-disputes`);

    const owner = await readyOrganizer(money.product);
    const member = await verifiedAccount(money.product);
    const token = await sendInvitation(siteOf(money.product), owner, { email: member.email, role: 'editor' });
    expectOk(await member.visitor.call(acceptInvitation, { token }));
    const theirs = await browserOf(member, browser, money.product, settingsOf(variant));
    await theirs.goto('/organization/security');
    await theirs.getByRole('button', { name: 'Open navigation' }).click();
    await expect(theirs.getByRole('dialog').getByRole('combobox')).toBeVisible();
    await take(theirs, `${variant.name}/navigation-organizations`);
  });
}
