/** Arranging an event's photos, and what shows them. */
import sharp from 'sharp';
import { arrangeText as text } from '#messages/records/arrange-photos.ts';
import { descriptionField } from '#messages/sales/page-settings.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { expectOk } from '#tests/support/people.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, openProfile, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

/** A face in the upper third of a portrait. */
const portrait = () =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1600">
      <rect width="1200" height="1600" fill="#2b1d38"/><circle cx="900" cy="300" r="700" fill="#58315f"/>
      <path d="M200 1600q0-760 400-760t400 760z" fill="#c1443c"/><circle cx="600" cy="460" r="250" fill="#e9b38c"/>
      <path d="M350 440q0-270 250-270t250 270q-120-110-250-110t-250 110z" fill="#2a1a14"/>
      <circle cx="510" cy="470" r="24"/><circle cx="690" cy="470" r="24"/>
      <path d="M500 580q100 90 200 0" fill="none" stroke="#2a1a14" stroke-width="18" stroke-linecap="round"/></svg>`),
  )
    .png()
    .toBuffer();

const DESCRIPTION = `**Nine horns, eighty-eight keys.** A night of *second line* brass in a cellar. See [the lineup](https://brass.example/2026).

What to expect:
- Doors at 7, first set at 8
- **Two** bars, one of them quiet
- Dancing, whether you planned to or not

1. Show the code at the door
2. Get a stamp

Bring ID.
No refunds at the bar.`;

for (const variant of VARIANTS)
  test(`arranging photos, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer, { description: DESCRIPTION });
    const posters = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => posterPhoto(id)));
    expectOk(
      await uploadPhotos(organizer.visitor, eventId, [
        ['portrait.png', await portrait()],
        ...posters.map((poster, index): [string, Buffer] => [`${index}.png`, poster]),
      ]),
    );
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await openProfile(page);
    await page.getByRole('button', { name: text.title }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await take(page, `${variant.name}/arrange-photos`);
    await page.getByRole('button', { name: text.edit(1) }).click();
    const point = page.getByRole('slider', { name: text.focus });
    await point.focus();
    for (const key of ['Shift+ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
    await take(page, `${variant.name}/arrange-photos-focus`);
    await page.getByRole('button', { name: text.save }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await take(page, `${variant.name}/card-with-focus`);
    await page.goto(`/payment/${eventId}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await take(page, `${variant.name}/event-with-focus`);
    await openProfile(page);
    await page.getByRole('button', { name: 'Edit Event' }).click();
    await page.getByLabel(descriptionField.label).first().scrollIntoViewIfNeeded();
    await take(page, `${variant.name}/description-field`);
  });
