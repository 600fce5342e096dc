/** A description with bold words, a link and a list, from the form to the page. */
import { descriptionField as text } from '#messages/sales/page-settings.ts';
import { expect, expectFits, expectReadable, openPage, test } from './journey.ts';
import { press as pressByKey } from './keyboard.ts';
import { browserOf, closeWindows, dialogOf, openProfile, press, putOnSale, readyOrganizer } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

test('buttons and keys mark a description, and its page shows that without script [EVT-19]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, { viewport: { width: 390, height: 844 } });
  await openProfile(page);
  await press(page, 'Edit Event');
  const form = dialogOf(page, 'Edit Event');
  const area = form.getByLabel(text.label).first();
  await area.fill('Nine ');
  await area.focus();
  await page.keyboard.press('Control+B');
  await page.keyboard.type('horns');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' in a cellar. See ');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(form.getByRole('button', { name: text.link })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(area).toBeFocused();
  await page.keyboard.type('the lineup');
  await expect(area).toHaveValue('Nine **horns** in a cellar. See [the lineup](https://)');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('brass.example/2026');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Doors at 7');
  await form.getByRole('button', { name: text.list }).click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('- Show at 8 <b>sharp</b>');
  await expect(area).toHaveValue(
    'Nine **horns** in a cellar. See [the lineup](https://brass.example/2026)\n- Doors at 7\n- Show at 8 <b>sharp</b>',
  );
  await expectFits(page);
  await expectReadable(page);
  await pressByKey(page, form.getByRole('button', { name: 'Save Changes' }));
  await press(page, 'Done');
  await press(page, 'Show Details');
  await expect(page.getByText('Nine horns in a cellar. See the lineup (https://brass.example/2026)')).toBeVisible();

  const guest = await openPage(browser, product, { javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  await guest.goto(`/payment/${eventId}`);
  const about = guest.getByRole('region', { name: 'About this event' });
  await expect(about.locator('strong')).toHaveText('horns');
  await expect(about.getByRole('listitem')).toHaveText(['Doors at 7', 'Show at 8 <b>sharp</b>']);
  const link = about.getByRole('link', { name: 'the lineup' });
  await expect(link).toHaveAttribute('href', 'https://brass.example/2026');
  await expect(link).toHaveAttribute('rel', 'nofollow noopener ugc');
  await expectFits(guest);
  await expect(guest.locator('meta[name="description"]')).toHaveAttribute(
    'content',
    /Nine horns in a cellar\. See the/,
  );
  const data = await guest.locator('script[type="application/ld+json"]').first().textContent();
  expect(JSON.parse(data ?? '')).toMatchObject({ description: expect.stringContaining('• Doors at 7') });

  const reader = await openPage(browser, product, {});
  await reader.goto(`/payment/${eventId}`);
  await expect(reader.getByRole('region', { name: 'About this event' }).getByRole('listitem')).toHaveCount(2);
  await expectReadable(reader);
});
