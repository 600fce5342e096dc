/** The *Orders* screen with no orders, with some, and with many; one order; its refund. */
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { orderDrawer, ordersPage as text } from '#messages/sales/orders.ts';
import { addGuests } from '#tests/support/comps.ts';
import { sellMany } from '#tests/support/many-guests.ts';
import { buyTickets, codesOf, expectOk, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`orders, ${variant.name}`, async ({ browser, product, db }) => {
    const site = siteOf(product);
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    const open = async (shown: string) => {
      await page.goto(`/events/${eventId}/orders`);
      await expect(page.getByText(shown).first()).toBeVisible();
    };
    await open(text.none);
    await take(page, `${variant.name}/orders-none`);

    const order = await buyTickets(site, eventId, generalAdmission(3), 'sofia.reyes@example.com');
    const [code = ''] = codesOf(order);
    expectOk(await site.call(requestRefund, { eventId, confirmationCode: code }));
    await buyTickets(site, eventId, generalAdmission(1), 'omar@example.com');
    await addGuests({ visitor: organizer.visitor, eventId }, [{ email: 'kim@example.com' }]);
    expectOk(await site.visitor().call(createCheckoutSession, { eventId, cartItems: generalAdmission(2) }));
    await site.settle();
    await open(text.found(4, 1));
    await take(page, `${variant.name}/orders-four`);
    await page.getByRole('row').filter({ hasText: '$72.00' }).getByRole('link').click();
    await expect(page.getByRole('heading', { name: orderDrawer.payment })).toBeVisible();
    await take(page, `${variant.name}/order-drawer`);
    await page.getByRole('heading', { name: orderDrawer.refunds }).scrollIntoViewIfNeeded();
    await take(page, `${variant.name}/order-drawer-money`);
    await page.getByRole('button', { name: orderDrawer.refund }).click();
    await page.getByRole('checkbox').first().check();
    await take(page, `${variant.name}/order-refund`);

    await sellMany(db, eventId, 10_000);
    await open(text.found(5004, 1));
    await take(page, `${variant.name}/orders-many`, true);
    await page.route('**/order-page-ends**', (call) => call.abort());
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
    await expect(page.getByRole('alert').filter({ hasText: text.notLoaded })).toBeVisible();
    await take(page, `${variant.name}/orders-not-loaded`, true);
  });
