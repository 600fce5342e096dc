/** A buyer with a promo code: typed or from a link, with too few uses left, and for hidden tickets. */
import type { Page } from '@playwright/test';
import { havePromoCode } from '#messages/sales/event-page.ts';
import { promoErrors } from '#messages/sales/promo.ts';
import { promoField } from '#messages/sales/promo-field.ts';
import { eventOnSale, openCheckout } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { payAndReturn, ticketCodes } from './buyer-steps.ts';
import { expectFits, expectReadable } from './journey.ts';
import { press, type } from './keyboard.ts';
import { expect, type Stage, test, toasts } from './public-setup.ts';

const ticketType = (ticketName: string, ticketPrice: number, more = {}) => ({
  ticketName,
  ticketDescription: 'Standing',
  ticketPrice,
  ticketQuantity: 100,
  ...more,
});

async function eventWithCodes({ site }: Stage): Promise<{ eventId: string }> {
  const event = await eventOnSale(site, {
    tickets: [ticketType('Floor', 20), ticketType('Box', 50), ticketType('Student', 8, { isHidden: true })],
  });
  await newPromoCode(event, promoForm('SPRING', { maxUses: 2 }));
  await newPromoCode(event, promoForm('STUDENT', { kind: 'unlock', value: '' }));
  return event;
}

const ticket = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Tickets' }).getByRole('listitem').filter({ hasText: name });
const add = (page: Page, name: string) => ticket(page, name).getByRole('button', { name: 'Add to Cart' });
const cart = (page: Page) => page.getByRole('region', { name: 'Your cart' });
const field = (page: Page) => page.getByLabel(promoField.label);
const checkout = (page: Page) => page.getByRole('button', { name: 'Checkout' }).first();
const spring = promoField.applied({ code: 'SPRING', kind: 'percent', value: 20_00 });

for (const width of [320, 1360])
  test.describe(`The promo code on a page ${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('is typed by keyboard, shows both prices, and is paid [PROMO-1 PROMO-2]', async ({ page, stage }) => {
      const { eventId } = await eventWithCodes(stage);
      await page.goto(`/payment/${eventId}`);
      expect(await page.content()).not.toContain('Student');
      await press(page, page.getByRole('button', { name: havePromoCode }));
      await expect(field(page)).toBeFocused();

      await type(page, field(page), 'winter');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert').getByText(promoErrors['promo.invalid'])).toBeVisible();
      await expect(field(page)).toBeFocused();
      await type(page, field(page), 'spring');
      await page.keyboard.press('Enter');
      await expect(page.getByText(spring)).toBeVisible();
      await expect(page.getByRole('button', { name: promoField.removeCode('SPRING') })).toBeFocused();
      await expect(ticket(page, 'Floor').locator('s')).toContainText('$20.00');
      await expect(ticket(page, 'Floor')).toContainText('$16.00');

      await press(page, add(page, 'Floor'));
      await press(page, add(page, 'Box'));
      await expect(cart(page)).toContainText('$56.00');
      await expectFits(page);
      await expectReadable(page);

      await press(page, checkout(page));
      await page.waitForURL(/\/sandbox\/pay\//);
      await expect(page.getByText('$56.00').first()).toBeVisible();
      await payAndReturn(page, `spring-${width}@example.com`, '4242 4242 4242 4242');
      await expect(ticketCodes(page)).toHaveCount(2);
    });
  });

test.describe('The promo code of a link', () => {
  test('is applied, and can be removed; the page has the same bytes without it [PROMO-7]', async ({ page, stage }) => {
    const { eventId } = await eventWithCodes(stage);
    const bytes = async (path: string) => (await stage.site.visitor().fetch(path)).text();
    const nonce = /nonce="[^"]*"/g;
    const plain = (await bytes(`/payment/${eventId}`)).replace(nonce, '');
    expect((await bytes(`/payment/${eventId}?code=SPRING`)).replace(nonce, '')).toBe(plain);

    await page.goto(`/payment/${eventId}?code=spring`);
    await expect(page.getByText(spring)).toBeVisible();
    await add(page, 'Floor').click();
    await expect(cart(page)).toContainText('$16.00');
    await page.getByRole('button', { name: promoField.removeCode('SPRING') }).click();
    await expect(field(page)).toBeFocused();
    await expect(cart(page)).toContainText('$20.00');
    await expect(cart(page)).not.toContainText('$16.00');
  });

  test('that runs short meanwhile shows the new total, which the next click accepts [PROMO-4]', async ({
    page,
    stage,
  }) => {
    const { eventId } = await eventWithCodes(stage);
    await page.goto(`/payment/${eventId}?code=SPRING`);
    await expect(page.getByText(spring)).toBeVisible();
    await add(page, 'Floor').click();
    await add(page, 'Floor').click();
    await expect(cart(page)).toContainText('$32.00');
    await openCheckout(stage.site, eventId, [{ ticketName: 'Floor', quantity: 1 }], 'SPRING');

    await checkout(page).click();
    const quote = 'SPRING has 1 use left. 1 ticket gets the discount, 1 is at full price. You would pay $36.00.';
    await expect(page.getByRole('alert').getByText(quote)).toBeVisible();
    await expect(cart(page)).toContainText('$36.00');
    await expectReadable(page);
    await checkout(page).click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await expect(page.getByText('$36.00').first()).toBeVisible();
    await page.goBack();
    // The code stays with the cart.
    await expect(page.getByText(spring)).toBeVisible();
  });

  test('shows hidden tickets and sells them [STOCK-7]', async ({ page, stage }) => {
    const { eventId } = await eventWithCodes(stage);
    await page.goto(`/payment/${eventId}?code=STUDENT`);
    await add(page, 'Student').click();
    await expect(cart(page)).toContainText('$8.00');
    await page.getByRole('button', { name: promoField.removeCode('STUDENT') }).click();
    await expect(ticket(page, 'Student')).toHaveCount(0);
    await expect(page.getByText('Your cart is empty.')).toBeVisible();

    await page.goto(`/payment/${eventId}?code=STUDENT`);
    await expect(cart(page)).toContainText('$8.00');
    await checkout(page).click();
    await payAndReturn(page, 'student@example.com', '4242 4242 4242 4242');
    await expect(ticketCodes(page)).toHaveCount(1);
    await expect(toasts(page)).toHaveCount(0);
  });
});
