/** The home of an organizer with 30 events, and the frame around the screens of one. */
import { editEventTax } from '#contract/app/records/event-tax.ts';
import { moneyTab, palette } from '#messages/records/workspace.ts';
import { copiesOfEvent } from '#tests/support/copied-events.ts';
import { buyTickets, expectOk, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const DAY = 24 * 60 * 60 * 1000;

for (const variant of VARIANTS)
  test(`workspace, ${variant.name}`, async ({ browser, product, db }) => {
    const organizer = await readyOrganizer(product);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto('/profile');
    await expect(page.getByRole('button', { name: 'Create Event' })).toBeVisible();
    await take(page, `${variant.name}/home-empty`);

    const { eventId } = await putOnSale(product, organizer);
    const tax = { eventId, percent: '8.875', label: 'NYC sales tax' };
    expectOk(await organizer.visitor.call(editEventTax, tax));
    await buyTickets(siteOf(product), eventId, generalAdmission(4));
    await page.goto('/profile');
    await expect(page.getByRole('article')).toHaveCount(1);
    await take(page, `${variant.name}/home-one`);

    await copiesOfEvent(
      db,
      eventId,
      1,
      () => new Date(Date.now() + 40 * DAY),
      () => 'Open Mic at the Cooperage',
    );
    await copiesOfEvent(
      db,
      eventId,
      28,
      (index) => new Date(Date.now() - (index + 2) * 9 * DAY),
      (index) => (index % 3 === 0 ? `Tin Roof Swing, night ${index + 1}` : `Basement Brass ${index + 1}`),
    );
    await page.goto('/profile');
    await expect(page.getByRole('button', { name: 'Past 28' })).toBeVisible();
    await expect(
      page
        .getByRole('listitem')
        .getByText(/Basement Brass|Swing/)
        .first(),
    ).toBeVisible();
    await take(page, `${variant.name}/home`);

    for (const tab of ['guests', 'orders', 'tickets', 'page', 'door', 'money'] as const) {
      await page.goto(`/events/${eventId}/${tab}`);
      await expect(page.locator('[aria-current=page]').last()).toBeVisible();
      await page.waitForLoadState('networkidle');
      if (tab === 'money') await expect(page.getByText(moneyTab.gets)).toBeVisible();
      await take(page, `${variant.name}/tab-${tab}`);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: palette.label }).fill('swing');
    await expect(page.getByRole('option').first()).toBeVisible();
    await take(page, `${variant.name}/palette`, true);
  });
