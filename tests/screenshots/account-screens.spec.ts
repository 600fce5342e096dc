/** Personal data of an organizer and a buyer, and a scheduled sale. */
import type { Browser, Page } from '@playwright/test';
import { privacyPage, recordsForm, recordsPage } from '#messages/privacy.ts';
import { advancedFields } from '#messages/records/event-editor.ts';
import { buyTickets, eventOnSale } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, openPage, test } from '../journeys/journey.ts';
import {
  browserOf,
  dialogOf,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS, type Variant } from './screenshot.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

async function organizersView(browser: Browser, product: Product, variant: Variant) {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await buyTickets(siteOf(product), eventId, [{ ticketName: 'General admission', quantity: 3 }], 'guest@example.com');
  return browserOf(organizer, browser, product, settingsOf(variant));
}

async function onSaleFields(page: Page, variant: Variant): Promise<void> {
  await press(page, 'Create Event');
  const dialog = dialogOf(page, 'Create Event');
  const from = dialog.getByLabel('On sale from');
  await dialog.getByText(advancedFields.onSale, { exact: true }).scrollIntoViewIfNeeded();
  await take(page, `${variant.name}/on-sale-closed`);
  await dialog.getByText(advancedFields.onSale, { exact: true }).click();
  await from.scrollIntoViewIfNeeded();
  await take(page, `${variant.name}/on-sale-empty`);
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await from.fill(`${tomorrow}T10:00`);
  await dialog.getByLabel('Use a waiting room').check();
  await dialog.getByLabel('Buyers per minute').scrollIntoViewIfNeeded();
  await take(page, `${variant.name}/on-sale-room`);
  await dialog.getByLabel('Start date and time').fill(`${tomorrow}T08:00`);
  await dialog.getByLabel('End date and time').fill(`${tomorrow}T09:00`);
  await dialog.getByLabel('Buyers per minute').fill('-3');
  await from.scrollIntoViewIfNeeded();
  await take(page, `${variant.name}/on-sale-wrong`);
}

for (const variant of VARIANTS) {
  test(`an organizer's account, ${variant.name}`, async ({ browser, product }) => {
    const page = await organizersView(browser, product, variant);
    await openProfile(page);
    await take(page, `${variant.name}/account`);
    await showDetails(page);
    await press(page, 'Show Guest List');
    await expect(page.getByRole('cell', { name: 'guest@example.com' }).first()).toBeVisible();
    await take(page, `${variant.name}/guests`);
    await press(page, 'Hide Guest List');
    await press(page, 'Change the attendant code');
    await take(page, `${variant.name}/change-code`);
    await press(page, 'Keep the code');
    await press(page, 'Delete Account');
    await take(page, `${variant.name}/delete-account`);
    await page.keyboard.press('Escape');
    await onSaleFields(page, variant);
    await page.context().close();
  });

  test(`personal data, ${variant.name}`, async ({ browser, product }) => {
    const site = siteOf(product);
    const email = `kept-${variant.name}@example.com`;
    const { eventId } = await eventOnSale(site);
    await buyTickets(site, eventId, [{ ticketName: 'General admission', quantity: 2 }], email);
    const page = await openPage(browser, product, settingsOf(variant));
    await page.goto('/privacy');
    await expect(page.getByRole('heading', { level: 1, name: privacyPage.title })).toBeVisible();
    await take(page, `${variant.name}/privacy`);
    await page.getByLabel('Email').fill(email);
    await press(page, recordsForm.button);
    const message = await emailTo(product, email, /^Your Handstamp data/);
    await page.goto(/https?:\/\/\S+\/privacy\/\S+/.exec(message.text)?.[0] ?? '');
    await expect(page.getByRole('region', { name: recordsPage.purchases })).toBeVisible();
    await take(page, `${variant.name}/records`);
    await press(page, recordsPage.remove);
    await take(page, `${variant.name}/records-delete`);
    await page.context().close();
  });
}
