/** The life of an event, by keyboard alone in a window 320 pixels wide. */
import type { Page } from '@playwright/test';
import { localTimeOf } from '#domain/local-time.ts';
import {
  previewBanner as banner,
  draftDeleted,
  eventLifeErrors,
  eventTakenDown,
  lifeActions as text,
} from '#messages/sales/event-life.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectUsable, test } from './journey.ts';
import { press, tabTo } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  fillIn,
  memberOf,
  openProfile,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';
import { typedEvent } from './typed-event.ts';

const NARROW = { viewport: { width: 320, height: 640 } };
const ZONE = 'America/New_York';
const inHours = (hours: number) => localTimeOf(new Date(Date.now() + hours * 3_600_000), ZONE);
const title = 'Cellar Strings';

const form = {
  title,
  ...typedEvent,
  timezone: ZONE,
};

const cards = (page: Page) => page.getByRole('article', { name: title });
const button = (page: Page, name: string) => cards(page).getByRole('button', { name, exact: true }).first();
const inDialog = (page: Page, dialog: string, name: string) =>
  dialogOf(page, dialog).getByRole('button', { name, exact: true });

test.afterEach(({ browser }) => closeWindows({ browser }));

test('an event is saved as a draft, previewed, published, duplicated, taken down and deleted [LIFE-1 LIFE-3 LIFE-5 LIFE-7]', async ({
  browser,
  product,
}) => {
  const page = await browserOf(await readyOrganizer(product), browser, product, NARROW);
  await openProfile(page);
  await press(page, page.getByRole('button', { name: 'Create Event', exact: true }).first());
  const creating = dialogOf(page, 'Create Event');
  await fillIn(creating, { ...form, startDate_startTime: inHours(48), endDate_endTime: inHours(51) });
  await expect(creating.locator('[name="latitude"]')).toHaveValue(/^40\.7/);
  await press(page, creating.getByRole('button', { name: text.saveDraft, exact: true }));
  await expectToasts(page, [text.saved]);
  await expect(creating).toBeHidden();
  await expect(cards(page).getByText('Draft', { exact: true })).toBeVisible();
  await expectUsable(page);

  await press(page, cards(page).getByRole('link', { name: text.preview, exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expectUsable(page);
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await page.getByRole('button', { name: 'Checkout' }).first().click();
  await expectToasts(page, [eventNotFound]);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const publish = page.getByRole('button', { name: banner.publish, exact: true });
  await expect(publish).toBeInViewport();
  const address = page.url();
  await page.reload();
  await press(page, publish);
  await expect(publish).toBeHidden();
  const stranger = await browser.newPage();
  await stranger.goto(address);
  await expect(stranger.getByRole('heading', { level: 1, name: title })).toBeVisible();

  await openProfile(page);
  await press(page, button(page, text.duplicate));
  await expectToasts(page, [text.duplicated(title)]);
  await expect(cards(page)).toHaveCount(2);
  await press(page, button(page, text.deleteDraft));
  await expect(dialogOf(page, text.deleteDraft)).toBeVisible();
  await expectUsable(page);
  await press(page, inDialog(page, text.deleteDraft, text.deleteDraft));
  await expectToasts(page, [draftDeleted]);
  await expect(cards(page)).toHaveCount(1);

  await press(page, button(page, text.takeDown));
  await expect(dialogOf(page, text.takeDown)).toBeVisible();
  await expectUsable(page);
  await press(page, inDialog(page, text.takeDown, text.takeDown));
  await expectToasts(page, [eventTakenDown]);
  await expect(button(page, text.takeDown)).toBeHidden();
  expect((await stranger.goto(address))?.status()).toBe(404);

  await press(page, button(page, text.publish));
  await expect(dialogOf(page, text.publish)).toBeVisible();
  await expectUsable(page);
  await tabTo(page, dialogOf(page, text.publish).getByLabel(text.affiliateCode));
  await press(page, inDialog(page, text.publish, text.publish));
  await expect(dialogOf(page, text.published)).toBeVisible();
  await expectUsable(page);
  await press(page, inDialog(page, text.published, 'Done'));
  await expect(button(page, text.takeDown)).toBeVisible();
});

test('the banner says why a draft is not published, and its page is not left [LIFE-4]', async ({
  browser,
  product,
}) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner);
  await putOnSale(product, owner);
  const { eventUrl } = await newDraft(siteOf(product), owner);
  const page = await browserOf(owner, browser, product, NARROW);
  await page.goto(eventUrl);

  await press(page, page.getByRole('button', { name: banner.publish, exact: true }));

  await expect(page.getByRole('alert')).toHaveText(
    eventLifeErrors['event.too-many-active']({ plan: 'Standard', max: 2 }),
  );
  await expectUsable(page);
});

test('a viewer previews a draft, and changes nothing of it [LIFE-3]', async ({ browser, product }) => {
  const owner = await readyOrganizer(product);
  await newDraft(siteOf(product), owner, { title });
  const page = await browserOf(await memberOf(product, owner, 'viewer'), browser, product, NARROW);
  await openProfile(page);

  for (const name of [text.publish, text.duplicate, text.deleteDraft, text.takeDown])
    await expect(button(page, name)).toBeHidden();
  await press(page, cards(page).getByRole('link', { name: text.preview, exact: true }));

  await expect(page.getByText(banner.text)).toBeVisible();
  await expect(page.getByRole('button', { name: banner.publish, exact: true })).toBeHidden();
});
