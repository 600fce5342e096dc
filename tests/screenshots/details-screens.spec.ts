/** What an event asks: its organizer's questions, the page that asks, and the order with its answers. */
import { formatCents } from '#messages/format.ts';
import { detailsPage as details } from '#messages/sales/details.ts';
import { orderNames } from '#messages/sales/order-names.ts';
import { questionSettings } from '#messages/sales/questions.ts';
import { askBuyers, questionForm } from '#tests/support/guest-forms.ts';
import { payWithCard } from '../journeys/buyer-steps.ts';
import { expect, test } from '../journeys/journey.ts';
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
  test(`questions and answers, ${variant.name}`, async ({ browser, product }) => {
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
          questionForm('Access needs', { kind: 'access', isRequired: false }),
          questionForm('Date of birth', { kind: 'date', isRequired: false }),
        ],
      },
    );
    const owner = await browserOf(organizer, browser, product, settingsOf(variant));
    await owner.goto(`/events/${eventId}/tickets`);
    const section = owner.getByRole('region', { name: questionSettings.title });
    await section.scrollIntoViewIfNeeded();
    await expect(section.getByText('Soup, Pie')).toBeVisible();
    await section.screenshot({ path: `screenshots/${variant.name}/questions.png` });
    await section.getByRole('button', { name: questionSettings.editLabel('Meal') }).click();
    await take(owner, `${variant.name}/question-dialog`);

    const page = await newWindow(browser, product, settingsOf(variant));
    await page.goto(eventUrl);
    await page.getByRole('button', { name: 'Add to Cart' }).first().click();
    await page.getByRole('button', { name: 'One more General admission' }).locator('visible=true').first().click();
    await page.getByRole('button', { name: 'Checkout', exact: true }).locator('visible=true').click();
    await page.waitForURL(/\/checkout\//);
    await expect(page.getByRole('heading', { level: 1, name: details.title })).toBeVisible();
    await take(page, `${variant.name}/details`);
    const pay = page.getByRole('button', { name: details.toPayment(formatCents(48_00)) });
    await pay.click();
    await take(page, `${variant.name}/details-missing`);
    for (const [index, name] of ['Sofia', 'Omar'].entries()) {
      await page.getByLabel(details.name).nth(index).fill(name);
      await page.getByLabel('Meal').nth(index).selectOption('Soup');
    }
    await page.getByLabel('Drums').first().check();
    await page.getByLabel('How did you hear of us?').fill('A friend');
    await pay.click();
    await payWithCard(page, `shown-${variant.name}@example.com`);
    await take(page, `${variant.name}/order-with-answers`);
    await page.getByRole('button', { name: orderNames.change }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await take(page, `${variant.name}/names-dialog`);

    await openProfile(owner);
    await showDetails(owner);
    await owner.getByRole('button', { name: 'Show Guest List' }).click();
    await owner.getByText('Sofia').first().scrollIntoViewIfNeeded();
    await take(owner, `${variant.name}/guests-with-answers`, true);
  });
