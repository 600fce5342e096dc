/** The public page of an organization: its settings, what visitors see, and the fields of an event that concern it. */
import { uploadLogo } from '#contract/app/sales/organizer-page.ts';
import { organizerPage } from '#messages/sales/organizer-page.ts';
import { listingFields, pageSettings as text } from '#messages/sales/page-settings.ts';
import { smallPhoto } from '#tests/support/call-samples.ts';
import { expect, expectFits, expectReadable, test } from './journey.ts';
import { expectTabReachesAll, press, type } from './keyboard.ts';
import { browserOf, closeWindows, newWindow, putOnSale, readyOrganizer } from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const WIDTHS = [320, 1360];
const of = (width: number) => ({ viewport: { width, height: 700 } });

for (const width of WIDTHS)
  test(`an organizer opens a page by keyboard, and a visitor finds the event, ${width} pixels wide [PAGE-1 PAGE-3]`, async ({
    browser,
    product,
  }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer, { title: 'Page Night', venueName: 'The Cooperage' });
    const page = await browserOf(organizer, browser, product, of(width));
    await page.goto('/profile');
    await press(page, page.getByRole('link', { name: text.title }));
    await expect(page.getByRole('heading', { level: 1, name: text.title })).toBeVisible();
    await expect(page.getByLabel(text.address)).toHaveValue('cooperage-nights');
    await expectFits(page);
    await expectReadable(page);

    const slug = `page-night-${width}`;
    await page.getByLabel(text.address).fill('Page Night');
    await press(page, page.getByRole('button', { name: text.save }));
    await expect(page.getByLabel(text.address)).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel(text.address)).toBeFocused();
    await page.getByLabel(text.address).fill(slug);
    await type(page, page.getByLabel(text.website), 'https://cooperage.example');
    await type(page, page.getByLabel(text.accent, { exact: true }), '#ffc23c');
    await expect(page.getByText(/hard to read/)).toBeVisible();
    await expectReadable(page);
    await press(page, page.getByRole('button', { name: /^Use #/ }));
    await expect(page.getByRole('img', { name: new RegExp(text.light) })).toBeVisible();
    await expect(page.getByRole('img', { name: new RegExp(text.dark) })).toBeVisible();
    await expectFits(page);
    await expectReadable(page);
    await press(page, page.getByRole('button', { name: text.save }));
    await expect(page.getByRole('link', { name: text.open })).toBeVisible();

    const chooser = page.waitForEvent('filechooser');
    await press(page, page.getByRole('button', { name: text.chooseLogo }));
    const uploaded = page.waitForResponse((response) => response.url().endsWith(uploadLogo.path));
    await (await chooser).setFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from(await smallPhoto()),
    });
    expect((await uploaded).status()).toBe(200);
    await expect(page.getByRole('img', { name: text.logo })).toBeVisible();
    await expectTabReachesAll(page, page.locator('main'));
    await expectFits(page);
    await expectReadable(page);

    const visitor = await newWindow(browser, product, of(width));
    await visitor.goto(`/payment/${eventId}`);
    await expect(visitor.getByText('The Cooperage', { exact: true })).toBeVisible();
    await expectReadable(visitor);
    await press(visitor, visitor.getByRole('link', { name: 'Cooperage Nights', exact: true }));
    await expect(visitor).toHaveURL(new RegExp(`/o/${slug}$`));
    await expect(visitor.getByRole('heading', { level: 1, name: 'Cooperage Nights' })).toBeVisible();
    await expect(visitor.getByText('The Cooperage, Brooklyn, NY')).toBeVisible();
    await expectTabReachesAll(visitor, visitor.locator('main'));
    await expectFits(visitor);
    await expectReadable(visitor);
    const download = visitor.waitForEvent('download');
    await press(visitor, visitor.getByRole('link', { name: organizerPage.calendar }));
    expect((await download).suggestedFilename()).toBe('calendar.ics');
    await press(visitor, visitor.getByRole('link', { name: 'Page Night' }));
    await expect(visitor.getByRole('heading', { level: 1, name: 'Page Night' })).toBeVisible();
  });

test('an organizer takes an event off the page, and names its venue [PAGE-2 PAGE-3]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  await putOnSale(product, organizer, { title: 'Unlisted Night' });
  const page = await browserOf(organizer, browser, product, of(1360));
  await page.goto('/organization/page');
  const slug = 'unlisted-night';
  await page.getByLabel(text.address).fill(slug);
  await page.getByRole('button', { name: text.save }).click();
  await expect(page.getByRole('link', { name: text.open })).toBeVisible();

  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Event' }).first().click();
  const dialog = page.getByRole('dialog', { name: /Edit/ });
  await dialog.getByLabel(listingFields.venueName).fill('The Attic');
  await expect(dialog.getByLabel(listingFields.isListed)).toBeChecked();
  await dialog.getByLabel(listingFields.isListed).uncheck();
  await dialog.getByRole('button', { name: /Save/ }).click();
  await expect(page.getByText('Event updated').first()).toBeVisible();

  const visitor = await newWindow(browser, product, of(320));
  await visitor.goto(`/o/${slug}`);
  await expect(visitor.getByText(organizerPage.empty)).toBeVisible();
  await expectFits(visitor);
  await expectReadable(visitor);
});

test('an unknown page is not found [PAGE-1]', async ({ browser, product }) => {
  const visitor = await newWindow(browser, product, of(1360));
  const reply = await visitor.goto('/o/nobody-has-this');
  expect(reply?.status()).toBe(404);
});
