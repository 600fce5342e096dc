/** Saving tickets in the wallet of a phone, where the operator has configured keys. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfTicket, orderPage as text } from '#messages/sales/order-page.ts';
import { buyTickets, codesOf, eventOnSale } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { ISSUER, makeAppleKeys, makeGoogleKeys } from '#tests/support/wallet-keys.ts';
import { phoneSize } from './check-in-steps.ts';
import { expect, expectFits, expectReadable, withOwnProduct } from './journey.ts';
import { expectTabReachesAll } from './keyboard.ts';
import { closeWindows, newWindow } from './organizer-page.ts';

const apple = makeAppleKeys();
const pem = join(apple.folder, 'wallet.pem');
const json = join(apple.folder, 'wallet.json');
writeFileSync(pem, apple.pem);
writeFileSync(json, makeGoogleKeys().json);

const test = withOwnProduct({ APPLE_WALLET_FILE: pem, GOOGLE_WALLET_FILE: json, GOOGLE_WALLET_ISSUER: ISSUER });

test.afterEach(({ browser }) => closeWindows({ browser }));

test('each ticket is saved by a link of its own, also without a script [WALLET-1]', async ({ browser, product }) => {
  const site = siteOf(product);
  const event = await eventOnSale(site);
  const cart = [{ ticketName: 'General admission', quantity: 2 }];
  const order = await buyTickets(site, event.eventId, cart, 'wallet@example.com');
  const second = nameOfTicket({ position: 2, of: 2 });
  for (const javaScriptEnabled of [true, false]) {
    const page = await newWindow(browser, product, { viewport: phoneSize, javaScriptEnabled });
    await page.goto(`/order/${order.details?.token}`);
    await expect(page.getByRole('link', { name: text.appleWallet })).toHaveCount(2);
    if (javaScriptEnabled) {
      await expectFits(page);
      await expectReadable(page);
      await expectTabReachesAll(page, page.getByRole('main'));
    }
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: `${text.appleWallet}: ${second}` }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Basement Brass, Ticket 2 of 2.pkpass');
    expect(readFileSync(await file.path()).includes(`"message":"${codesOf(order)[1]}"`)).toBe(true);

    // Where the answer leads, which is out of reach of tests.
    const save = page.waitForRequest('https://pay.google.com/gp/v/save/**');
    await page.getByRole('link', { name: `${text.googleWallet}: ${second}` }).click();
    expect((await save).headers()).not.toHaveProperty('referer');
  }
});
