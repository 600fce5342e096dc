/** Guests at no charge: the form, a file with problems and a good one, the list, and the guest's order. */
import { addGuests } from '#tests/support/comps.ts';
import { emailTo, expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, newWindow, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`guests at no charge, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    const email = `comp-${variant.name}@example.com`;
    await addGuests({ visitor: organizer.visitor, eventId }, [{ email, quantity: 2 }]);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto(`/events/${eventId}/comps`);
    await expect(page.getByText(email).first()).toBeVisible();
    await take(page, `${variant.name}/comps`);
    const file = (text: string) => ({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const upload = page.locator('input[type=file]');
    await upload.setInputFiles(
      file('Email,Ticket,Quantity\nada@example.com,Nowhere,2\nnot-an-address,General admission,0\n'),
    );
    await expect(page.getByText('not-an-address').first()).toBeVisible();
    await take(page, `${variant.name}/import-problems`);
    await upload.setInputFiles(
      file('Email,Ticket,Quantity\nada@example.com,Balcony,2\nkim@example.com,General admission,1\n'),
    );
    await expect(page.getByText('kim@example.com').first()).toBeVisible();
    await take(page, `${variant.name}/import-ready`);
    const guest = await newWindow(browser, product, settingsOf(variant));
    const { text } = await emailTo(product, email, /guest list/);
    await guest.goto(/https?:\/\/\S+\/order\/\S+/.exec(text)?.[0] ?? '');
    await expect(guest.getByRole('img', { name: /\d{10}/ }).first()).toBeVisible();
    await take(guest, `${variant.name}/comp-order`);
  });
