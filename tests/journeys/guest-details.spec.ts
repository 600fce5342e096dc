/** What an event asks: the organizer sets it up, buyers answer between the cart and the payment, and both see the answers. */
import type { Page } from '@playwright/test';
import { formatCents } from '#messages/format.ts';
import { formText } from '#messages/forms.ts';
import { eventList } from '#messages/records/workspace.ts';
import { detailsPage as details } from '#messages/sales/details.ts';
import { namesSaved, orderNames } from '#messages/sales/order-names.ts';
import { nameOfTicket } from '#messages/sales/order-page.ts';
import { guestFormSaved, questionSettings as text } from '#messages/sales/questions.ts';
import { askBuyers, questionForm } from '#tests/support/guest-forms.ts';
import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { phoneSize } from './check-in-steps.ts';
import { emailTo, expect, expectFits, expectReadable, test } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  expectToasts,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const card = (page: Page, name: string) => page.getByRole('region', { name });
const checkout = (page: Page) => page.getByRole('button', { name: 'Checkout', exact: true }).locator('visible=true');

for (const width of [320, 1360])
  test(`an organizer asks, by keyboard alone, in a window ${width} pixels wide [FORM-1 FORM-2]`, async ({
    browser,
    product,
  }) => {
    const organizer = await readyOrganizer(product);
    await putOnSale(product, organizer);
    const page = await browserOf(organizer, browser, product, { viewport: { width, height: 760 } });
    await openProfile(page);
    await press(page, page.getByRole('link', { name: eventList.open, exact: true }));
    await press(page, page.getByRole('link', { name: /^Tickets/ }));
    const section = page.getByRole('region', { name: text.title });
    await expect(section.getByText(text.empty)).toBeVisible();
    // Below two ticket types with all of their fields.
    await section.getByRole('heading', { name: text.title }).focus();
    await section.getByLabel(text.askNames).selectOption('required');
    await expectToasts(page, [guestFormSaved]);

    await press(page, section.getByRole('button', { name: text.add }));
    const dialog = page.getByRole('dialog', { name: text.addTitle });
    await press(page, dialog.getByRole('button', { name: text.save }));
    await expect(dialog.getByLabel(text.label, { exact: true })).toBeFocused();
    await expectToasts(page, [formText({ field: 'label', reason: 'question-label.missing' })]);
    await type(page, dialog.getByLabel(text.label, { exact: true }), 'Meal');
    await dialog.getByLabel(text.kind, { exact: true }).selectOption('one-of');
    await type(page, dialog.getByLabel(text.options), 'Soup');
    await press(page, dialog.getByRole('button', { name: text.save }));
    await expectToasts(page, [formText({ field: 'options', reason: 'question-options.invalid' })]);
    await dialog.getByLabel(text.options).fill('Soup\nPie');
    await dialog.getByLabel(text.isRequired).check();
    await expectReadable(page);
    await press(page, dialog.getByRole('button', { name: text.save }));
    await expectToasts(page, [guestFormSaved]);

    const meal = section.getByRole('listitem').filter({ hasText: 'Meal' });
    await expect(meal).toContainText('Soup, Pie');
    await expect(meal).toContainText(text.required);
    await press(page, section.getByRole('button', { name: text.add }));
    await type(page, dialog.getByLabel(text.label, { exact: true }), 'Anything else?');
    await press(page, dialog.getByRole('button', { name: text.save }));
    await expectToasts(page, [guestFormSaved]);
    await press(page, section.getByRole('button', { name: text.upLabel('Anything else?') }));
    await expectToasts(page, [guestFormSaved]);
    await expect(section.getByRole('listitem').first()).toContainText('Anything else?');
    await expectFits(page);
    await expectReadable(page);

    await press(page, section.getByRole('button', { name: text.removeLabel('Anything else?') }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: text.remove }));
    await expectToasts(page, [guestFormSaved]);
    await expect(section.getByRole('listitem')).toHaveCount(1);
    await expect(section.getByRole('heading', { name: text.title })).toBeFocused();
  });

for (const [size, viewport] of [
  ['a phone', phoneSize],
  ['a large window', { width: 1360, height: 900 }],
] as const)
  test(`a buyer answers on ${size}, pays, and changes a name [FORM-5 FORM-6 FORM-7]`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId, eventUrl } = await putOnSale(product, organizer);
    await askBuyers(
      { visitor: organizer.visitor, eventId },
      {
        asksNames: 'required',
        questions: [
          questionForm('How did you hear of us?', { scope: 'order', kind: 'long-text', isRequired: false }),
          questionForm('Meal', { kind: 'one-of', options: ['Soup', 'Pie'], help: 'Both are hot.' }),
          questionForm('Workshops', { kind: 'any-of', options: ['Tuba', 'Drums'], isRequired: false }),
        ],
      },
    );
    const page = await newWindow(browser, product, { viewport });
    await page.goto(eventUrl);
    await press(page, page.getByRole('button', { name: 'Add to Cart' }).first());
    await press(page, page.getByRole('button', { name: 'One more General admission' }).locator('visible=true').first());
    await press(page, checkout(page));
    await page.waitForURL(/\/checkout\//);
    await expect(heading(page, details.title)).toBeVisible();
    await expectFits(page);
    await expectReadable(page);

    const total = details.toPayment(formatCents(48_00));
    await press(page, page.getByRole('button', { name: total }));
    const first = card(page, details.ticket(1, 2, 'General admission'));
    const second = card(page, details.ticket(2, 2, 'General admission'));
    await expectToasts(page, [details.problems(4)]);
    await expect(first.getByLabel(details.name)).toBeFocused();
    await expect(first.getByText(formText({ field: 'tickets.0.name', reason: 'guest-name.missing' }))).toBeVisible();
    await type(page, first.getByLabel(details.name), 'Sofia');
    await first.getByLabel('Meal').selectOption('Soup');
    await tabTo(page, first.getByLabel('Drums'));
    await page.keyboard.press('Space');
    await page.reload();
    await expect(first.getByLabel(details.name)).toHaveValue('Sofia');
    await expect(first.getByLabel('Drums')).toBeChecked();
    await type(page, second.getByLabel(details.name), 'Omar');
    await press(page, first.getByRole('button', { name: details.copy }));
    await expect(second.getByLabel('Meal')).toHaveValue('Soup');
    await expect(second.getByLabel('Drums')).toBeChecked();
    await expect(second.getByLabel(details.name)).toHaveValue('Omar');
    await page.getByLabel('How did you hear of us?').fill('A friend');
    await press(page, page.getByRole('button', { name: total }));

    const email = `guests-${viewport.width}@example.com`;
    await payWithCard(page, email);
    await expect(ticketCodes(page)).toHaveCount(2);
    for (const answer of ['Sofia', 'Omar', 'Ticket 1 of 2: Meal', 'Ticket 2 of 2: Workshops', 'A friend'])
      await expect(page.getByText(answer).first()).toBeVisible();
    await expectReadable(page);
    const message = await emailTo(product, email, /ticket/);
    expect(message.text).toContain('Name: Omar');

    await press(page, page.getByRole('button', { name: orderNames.change }));
    const dialog = page.getByRole('dialog', { name: orderNames.title });
    const name = dialog.getByLabel(orderNames.name(nameOfTicket({ position: 2, of: 2 })));
    await name.fill('');
    await press(page, dialog.getByRole('button', { name: orderNames.save }));
    await expectToasts(page, [formText({ field: 'tickets.1.name', reason: 'guest-name.missing' })]);
    await name.fill('Ana');
    await press(page, dialog.getByRole('button', { name: orderNames.save }));
    await expectToasts(page, [namesSaved]);
    await expect(page.getByText('Ana')).toBeVisible();
    await expect(page.getByText('Omar')).toHaveCount(0);

    const profile = await browserOf(organizer, browser, product, { viewport });
    await openProfile(profile);
    await showDetails(profile);
    await press(profile, profile.getByRole('button', { name: 'Show Guest List' }));
    await expect(profile.getByText('Ana')).toBeVisible();
    await expect(profile.getByText('Meal: Soup').first()).toBeVisible();
    await expectFits(profile);
  });

test('a buyer who comes back from the payment page goes on, and one who is late starts again', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId, eventUrl } = await putOnSale(product, organizer);
  await askBuyers({ visitor: organizer.visitor, eventId }, { asksNames: 'required' });
  const page = await newWindow(browser, product, { viewport: phoneSize });
  await page.goto(eventUrl);
  await press(page, page.getByRole('button', { name: 'Add to Cart' }).first());
  await press(page, checkout(page));
  await page.waitForURL(/\/checkout\//);
  const address = page.url();
  await page.getByLabel(details.name).fill('Sam');
  await page.getByRole('button', { name: details.toPayment(formatCents(24_00)) }).click();
  await page.waitForURL(/\/sandbox\/pay\//);

  await page.goto(address);
  await expect(heading(page, details.doneTitle)).toBeVisible();
  await expectReadable(page);
  await page.getByRole('button', { name: details.toPayment(formatCents(24_00)) }).click();
  await payWithCard(page, 'came-back@example.com');
  await expect(page.getByText('Sam')).toBeVisible();
  await page.goto(address);
  await expect(page.getByRole('link', { name: 'Back to the event' })).toBeVisible();
});
