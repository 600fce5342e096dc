/** Arranging an event's photos: their order, the cover, focal points and texts. */
import type { Browser, Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { deletePhotos } from '#contract/app/photos.ts';
import { photoErrors } from '#messages/photos.ts';
import { photosArranged, arrangeText as text } from '#messages/records/arrange-photos.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { expectOk } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { expect, expectFits, expectReadable, openPage, test } from './journey.ts';
import { press } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  openProfile,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

/** An event with a portrait and two posters. */
async function photographed(browser: Browser, product: Product, settings: Parameters<typeof browserOf>[3] = {}) {
  const organizer = await readyOrganizer(product);
  const { visitor } = organizer;
  const { eventId } = await putOnSale(product, organizer);
  const portrait = await sharp({ create: { width: 600, height: 1200, channels: 3, background: '#2B3BD1' } })
    .png()
    .toBuffer();
  const { eventPhotos } = expectOk(
    await uploadPhotos(visitor, eventId, [
      ['portrait.png', portrait],
      ['two.png', await posterPhoto('two')],
      ['three.png', await posterPhoto('three')],
    ]),
  );
  const page = await browserOf(organizer, browser, product, settings);
  await openProfile(page);
  const names = eventPhotos.map((url) => new URL(url).pathname);
  return { page, eventId, visitor, eventPhotos, names };
}

/** The files of the images, in their order. */
const filesIn = (container: Locator) =>
  container.locator('img').evaluateAll((images: HTMLImageElement[]) => images.map(({ src }) => new URL(src).pathname));

const positionOf = (image: Locator) => image.evaluate((element) => getComputedStyle(element).objectPosition);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('photos are arranged with the keyboard alone, and every page shows it [PHOTO-5 PHOTO-6 PHOTO-7]', async ({
  browser,
  product,
}) => {
  const { page, eventId, names } = await photographed(browser, product);
  const [portrait, two, three] = names;
  await press(page, button(page, text.title));
  const dialog = dialogOf(page, text.title);
  await expect(dialog).toBeVisible();
  await expectReadable(page);

  await press(page, button(page, text.later(1)));
  await expect(page.getByRole('status').filter({ hasText: text.moved(2, 3) })).toHaveCount(1);
  await expect(button(page, text.later(2))).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(page, text.later(3))).toBeFocused();
  // The last one stays where it is.
  await page.keyboard.press('Enter');
  await expect.poll(() => filesIn(dialog)).toEqual([two, three, portrait]);

  await press(page, button(page, text.edit(3)));
  await expect(page.getByRole('heading', { name: text.photo(3) })).toBeFocused();
  const point = page.getByRole('slider', { name: text.focus });
  await point.focus();
  for (const key of ['Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp', 'ArrowRight', 'ArrowLeft', 'ArrowDown'])
    await page.keyboard.press(key);
  await expect(point).toHaveAttribute('aria-valuetext', text.focusAt(50, 5));
  await page.getByLabel(text.altText).fill('A trumpet player');
  await press(page, button(page, text.useAsCover));
  await expectReadable(page);
  await press(page, button(page, text.back));
  await expect(button(page, text.edit(3))).toBeFocused();
  await press(page, button(page, text.save));
  await expectToasts(page, [photosArranged]);
  await expect(dialog).toBeHidden();

  const cover = page.getByRole('article').locator('img').first();
  expect(await filesIn(page.getByRole('article'))).toEqual([portrait]);
  expect(await positionOf(cover)).toBe('50% 5%');

  const guest = await openPage(browser, product, {});
  await guest.goto(`/payment/${eventId}`);
  const photos = guest.getByRole('region', { name: 'Photos' });
  expect(await filesIn(photos)).toEqual([portrait, two, three]);
  const image = photos.getByRole('img', { name: 'A trumpet player' });
  expect(await positionOf(image)).toBe('50% 5%');
  expect(await positionOf(photos.locator('img').last())).toBe('50% 50%');
  const data = await guest.locator('script[type="application/ld+json"]').first().textContent();
  expect(JSON.parse(data ?? '')).toMatchObject({
    image: [expect.stringContaining(portrait ?? '-'), expect.anything(), expect.anything(), expect.anything()],
  });
});

test('photos are arranged by touch on a phone [PHOTO-5 PHOTO-6]', async ({ browser, product }) => {
  const { page, eventId, names } = await photographed(browser, product, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const [portrait, two, three] = names;
  await button(page, text.title).tap();
  const dialog = dialogOf(page, text.title);
  await expect(dialog).toBeVisible();
  await expectFits(page);
  await button(page, text.earlier(3)).tap();
  await expect.poll(() => filesIn(dialog)).toEqual([portrait, three, two]);

  await button(page, text.edit(1)).tap();
  await expectFits(page);
  const point = page.getByRole('slider', { name: text.focus });
  const box = await point.boundingBox();
  if (!box) throw new Error('the photo has no size');
  await page.touchscreen.tap(box.x + box.width * 0.2, box.y + box.height * 0.9);
  await expect(point).toHaveAttribute('aria-valuetext', text.focusAt(20, 90));
  await button(page, text.center).tap();
  await expect(point).toHaveAttribute('aria-valuetext', text.focusAt(50, 50));
  await page.touchscreen.tap(box.x + box.width * 0.2, box.y + box.height * 0.9);
  await button(page, text.save).tap();
  await expectToasts(page, [photosArranged]);
  await expect(dialog).toBeHidden();

  const cover = page.getByRole('article').locator('img').first();
  expect(await positionOf(cover)).toBe('20% 90%');
  await page.goto(`/events/${eventId}`);
  const frame = page.locator(`header img[src="${portrait}"]`);
  await expect(frame).toBeVisible();
  expect(await positionOf(frame)).toBe('20% 90%');
});

test('photos are dragged into order, and the focal point across the photo [PHOTO-5 PHOTO-6]', async ({
  browser,
  product,
}) => {
  const { page, names } = await photographed(browser, product);
  const [portrait, two, three] = names;
  await button(page, text.title).click();
  const dialog = dialogOf(page, text.title);
  await expect(dialog).toBeVisible();
  await dialog.getByRole('listitem').first().dragTo(dialog.getByRole('listitem').nth(2));
  await expect.poll(() => filesIn(dialog)).toEqual([two, three, portrait]);

  await button(page, text.edit(3)).click();
  const point = page.getByRole('slider', { name: text.focus });
  const box = await point.boundingBox();
  if (!box) throw new Error('the photo has no size');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y - 50, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(box.x, box.y + box.height);
  await expect(point).toHaveAttribute('aria-valuetext', text.focusAt(75, 0));

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(point).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(dialog).toBeHidden();
  await button(page, text.title).click();
  await expect.poll(() => filesIn(dialog)).toEqual([portrait, two, three]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('photos that changed meanwhile are shown before they are arranged again [PHOTO-5]', async ({
  browser,
  product,
}) => {
  const { page, eventId, visitor, eventPhotos, names } = await photographed(browser, product);
  const [portrait, two, three] = names;
  await button(page, text.title).click();
  const dialog = dialogOf(page, text.title);
  await expect(dialog).toBeVisible();
  await button(page, text.later(1)).click();
  expectOk(await visitor.call(deletePhotos, { eventId, photosToDelete: [eventPhotos[1] ?? ''] }));

  await button(page, text.save).click();
  await expect(dialog.getByText(photoErrors['photo.changed'])).toBeVisible();
  expect(await filesIn(dialog)).toEqual([two, portrait, three]);
  await button(page, text.showCurrent).click();
  await expect.poll(() => filesIn(dialog)).toEqual([portrait, three]);
  await button(page, text.later(1)).click();
  await button(page, text.save).click();
  await expectToasts(page, [photosArranged]);
  await expect.poll(() => filesIn(page.getByRole('article'))).toEqual([three]);
});
