/** A transferred ticket, and corrected addresses. */
import { transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { nameOfTicket } from '#messages/sales/order-page.ts';
import { correctAddress, correctEmailDialog, transferPage } from '#messages/sales/ticket-transfers.ts';
import { buyTickets, expectOk, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, test } from '../journeys/journey.ts';
import {
  browserOf,
  closeWindows,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`transfers, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    const site = siteOf(product);
    const order = await buyTickets(site, eventId, generalAdmission(2), `payer-${variant.name}@example.com`);
    const token = order.details?.token ?? '';
    const page = await newWindow(browser, product, settingsOf(variant));
    await page.goto(`/order/${token}`);
    await page.getByRole('button', { name: transferPage.buttonLabel(nameOfTicket({ position: 1, of: 2 })) }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await take(page, `${variant.name}/transfer-dialog`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: correctAddress.button }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await take(page, `${variant.name}/correct-address`);

    const email = `holder-${variant.name}@example.com`;
    expectOk(await site.call(transferTicket, { token, position: 1, email }));
    await page.goto(`/order/${token}`);
    await take(page, `${variant.name}/order-with-transfer`);
    const { text } = await emailTo(product, email, /You have a ticket/);
    await page.goto(/http\S+\/ticket\/\S+/.exec(text)?.[0] ?? '');
    await take(page, `${variant.name}/held-ticket`);

    const owner = await browserOf(organizer, browser, product, settingsOf(variant));
    await openProfile(owner);
    await showDetails(owner);
    await owner.getByRole('button', { name: 'Show Guest List' }).click();
    await owner.getByText(email).first().scrollIntoViewIfNeeded();
    await take(owner, `${variant.name}/guests-with-transfer`, true);
    await owner
      .getByRole('button', { name: new RegExp(`^${correctEmailDialog.button}`) })
      .first()
      .click();
    await expect(owner.getByRole('dialog')).toBeVisible();
    await take(owner, `${variant.name}/correct-email`);
  });
