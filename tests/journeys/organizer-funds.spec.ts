/** What an organization is owed, and the published total that it is part of. */
import { sql } from 'kysely';
import { fundsPage, proofCard, trustPage } from '#messages/records/funds.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectAccessible, expectFits, openPage, test as shared, withOwnProduct } from './journey.ts';
import { expectTabReachesAll, press } from './keyboard.ts';
import { browserOf, closeWindows, openProfile, putOnSale, readyOrganizer } from './organizer-page.ts';

const test = withOwnProduct({ PUBLISH_FUNDS: '1' });
const title = 'Owed evening';

test.afterEach(({ browser }) => closeWindows({ browser }));

test('an organizer sees what is owed and checks that it is part of the published total [TRUST-1 TRUST-2]', async ({
  browser,
  product,
  db,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer, { title });
  const page = await browserOf(organizer, browser, product);
  await page.goto('/organization/funds');
  await expect(page.getByText(fundsPage.none)).toBeVisible();

  await buyTickets(siteOf(product), eventId, generalAdmission(2));
  await openProfile(page);
  await page.getByRole('link', { name: fundsPage.title, exact: true }).click();
  const row = page.getByRole('table', { name: fundsPage.caption }).getByRole('row', { name: title });
  await expect(row).toContainText('$30.54');

  // The scheduled job may have signed a total before the sale.
  await sql`delete from funds_snapshots`.execute(db);
  await page.goto('/trust');
  for (const job of ['reconcile-recent', 'read-funds']) await sql`select graphile_worker.add_job(${job})`.execute(db);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(trustPage.stateOf('covered').long)).toBeVisible({ timeout: 1000 });
    await expect(page.getByRole('table', { name: trustPage.snapshots })).toContainText('$30.54', { timeout: 1000 });
  }).toPass();
  await expectAccessible(page);

  await page.setViewportSize({ width: 320, height: 640 });
  await expectFits(page);
  await expectTabReachesAll(page, page.locator('main'));
  await page.goto('/organization/funds');
  const amounts = { amount: '$30.54', total: '$30.54' };
  await press(page, page.getByRole('button', { name: proofCard.check }));
  await expect(page.getByText(proofCard.matches(amounts))).toBeVisible();
  await expectTabReachesAll(page, page.locator('main'));
  await expectAccessible(page);
  await expectFits(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: proofCard.download }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^proof-\d{4}-\d\d-\d\d\.txt$/);

  await sql`update funds_snapshots set owed_cents = owed_cents - 1`.execute(db);
  await page.getByRole('button', { name: proofCard.check }).click();
  await expect(page.getByText(proofCard.mismatch)).toBeVisible();
  await page.getByRole('link', { name: proofCard.published }).click();
  await expect(page.getByRole('heading', { name: trustPage.title })).toBeVisible();
});

shared('without the setting there is no such page [TRUST-2]', async ({ browser, product }) => {
  const page = await openPage(browser, product);

  expect((await page.goto('/trust'))?.status()).toBe(404);
  await expect(page.getByText(trustPage.notPublished)).toBeVisible();
});
