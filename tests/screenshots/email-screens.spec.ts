/** Emails to buyers and organizers as a browser renders them, and the form that writes to an organizer. */
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { contactPage } from '#messages/sales/contact.ts';
import { buyTickets, codesOf, expectOk, generalAdmission, goodCard } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, test } from '../journeys/journey.ts';
import { closeWindows, newWindow, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

/** Mail apps on phones, and the reading pane of a computer. */
const PHONE_WIDTH = 390;
const PANE_WIDTH = 640;

for (const variant of VARIANTS)
  test(`emails and the contact form, ${variant.name}`, async ({ browser, product }) => {
    const site = siteOf(product);
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    const buyer = `emails-${variant.name}@example.com`;
    const cart = [...generalAdmission(2), { ticketName: 'Balcony', quantity: 1 }];
    const order = await buyTickets(site, eventId, cart, buyer, { ...goodCard, name: 'Sofia Marchetti' });
    const { colorScheme } = settingsOf(variant);
    const width = variant.name.startsWith('phone') ? PHONE_WIDTH : PANE_WIDTH;
    const page = await newWindow(browser, product, settingsOf(variant));

    await page.goto(`/contact/${eventId}`);
    await take(page, `${variant.name}/contact`);
    await page.getByRole('button', { name: contactPage.submit }).click();
    await take(page, `${variant.name}/contact-errors`);
    await page.goto(`/contact/${order.details?.token}`);
    await page.getByLabel(contactPage.message).fill('Is there a lift to the balcony?\nMy mother uses a wheelchair.');
    await take(page, `${variant.name}/contact-buyer`);
    await page.getByRole('button', { name: contactPage.submit }).click();
    await expect(page.getByRole('status').filter({ hasText: contactPage.next })).toBeVisible();
    await take(page, `${variant.name}/contact-sent`);

    const [confirmationCode = ''] = codesOf(order);
    expectOk(await site.call(requestRefund, { confirmationCode, eventId }));
    await emailTo(product, buyer, /refund/i);
    expectOk(await organizer.visitor.call(cancelEvent, { eventId }));

    const reader = await newWindow(browser, product, { colorScheme, viewport: { width, height: 800 } });
    for (const [name, address, subject] of [
      ['tickets', buyer, /your 3 tickets/],
      ['refund', buyer, /refund/i],
      ['cancelled', buyer, /cancelled/],
      ['contact-copy', buyer, /passed on/],
      ['contact', organizer.email, /^Message about/],
      ['verify', organizer.email, /Verify/],
    ] as const) {
      const { id } = await emailTo(product, address, subject).catch(() => ({ id: null }));
      if (id === null) continue;
      await reader.goto(`/sandbox/inbox/${id}/html`);
      await take(reader, `${variant.name}/email-${name}`);
    }
  });
