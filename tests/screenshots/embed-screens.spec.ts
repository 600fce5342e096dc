/** Tickets on a website of the organizer: the dialog that sets them up, the website, and the page that takes the cart over. */
import { editEmbed, eventEmbed } from '#contract/app/programs/embed.ts';
import { embeddedTickets, embedSettings, takenOverCart } from '#messages/programs/embed.ts';
import { expectOk } from '#tests/support/people.ts';
import { expect, openPage, test } from '../journeys/journey.ts';
import { browserOf, dialogOf, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { openWebsite } from '../journeys/website.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

for (const variant of VARIANTS)
  test(`embedded tickets, ${variant.name}`, async ({ browser, product }) => {
    const website = await openWebsite();
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    for (const add of [website.origin, 'https://www.example.com'])
      expectOk(await organizer.visitor.call(editEmbed, { eventId, add }));
    const { snippet } = expectOk(await organizer.visitor.call(eventEmbed, { eventId }));
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto(`/events/${eventId}`);
    await page.getByRole('button', { name: embedSettings.open }).click();
    const preview = page.frameLocator('dialog iframe');
    await expect(preview.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
    await take(page, `${variant.name}/embed-dialog`);
    await dialogOf(page, embedSettings.dialog).locator('iframe').scrollIntoViewIfNeeded();
    await take(page, `${variant.name}/embed-preview`);

    const visitor = await openPage(browser, product, settingsOf(variant));
    const style = '<style>body{max-width:60rem;margin:2rem auto;padding:0 1rem;font-family:Georgia,serif}</style>';
    await visitor.goto(website.show(`${style}<p>Live every Thursday, down the stairs on Hudson Street.</p>${snippet}`));
    const frame = visitor.frameLocator('handstamp-tickets iframe');
    await frame.getByRole('button', { name: 'Add to Cart' }).first().click();
    const checkout = frame.getByRole('link', { name: embeddedTickets.checkout });
    await expect(checkout).toBeVisible();
    await take(visitor, `${variant.name}/embed-website`);
    await visitor.goto((await checkout.getAttribute('href')) ?? '');
    await expect(visitor.getByRole('button', { name: takenOverCart.checkout })).toBeVisible();
    await take(visitor, `${variant.name}/embed-checkout`);
    await page.context().close();
    await visitor.context().close();
    await website.close();
  });
