/** A draft: on the profile, above its own page, and what its actions ask. */
import { previewBanner as banner, lifeActions as text } from '#messages/sales/event-life.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from '../journeys/journey.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  openProfile,
  putOnSale,
  readyOrganizer,
} from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`a draft and its page, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    await putOnSale(product, organizer, { title: 'Basement Brass' });
    await putOnSale(product, organizer, { title: 'Roof Swing' });
    const { eventUrl } = await newDraft(siteOf(product), organizer, { title: 'Cellar Strings' });
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await openProfile(page);
    const card = page.getByRole('article', { name: 'Cellar Strings' });
    await card.scrollIntoViewIfNeeded();
    await take(page, `${variant.name}/profile-draft`, true);
    for (const action of [text.publish, text.deleteDraft]) {
      await card.getByRole('button', { name: action, exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await take(page, `${variant.name}/draft-${action === text.publish ? 'publish' : 'delete'}`);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('article', { name: 'Roof Swing' }).getByRole('button', { name: text.takeDown }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await take(page, `${variant.name}/take-down`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create Event', exact: true }).first().click();
    await dialogOf(page, 'Create Event').getByRole('button', { name: text.saveDraft }).scrollIntoViewIfNeeded();
    await take(page, `${variant.name}/save-as-draft`);

    await page.goto(eventUrl);
    await take(page, `${variant.name}/preview`, true);
    await page.getByRole('button', { name: banner.publish, exact: true }).click();
    await expect(page.getByRole('alert')).not.toBeEmpty();
    await page.evaluate(() => scrollTo(0, 600));
    await take(page, `${variant.name}/preview-denied`, true);
  });
