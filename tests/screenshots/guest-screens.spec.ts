/** The *Guests* screen with no guests, with three, and with many; one guest; the list on paper. */
import { checkGuest } from '#contract/app/check-in.ts';
import { guestDrawer, printedList, guestTablePage as text } from '#messages/sales/guest-table.ts';
import { addGuests } from '#tests/support/comps.ts';
import { askBuyers, buyWithDetails, questionForm } from '#tests/support/guest-forms.ts';
import { nameMany, sellMany } from '#tests/support/many-guests.ts';
import { attendantOf, codesOf, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`guests, ${variant.name}`, async ({ browser, product, db }) => {
    const site = siteOf(product);
    const organizer = await readyOrganizer(product);
    const { eventId, attendantCode } = await putOnSale(product, organizer);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    const open = async (shown: string) => {
      await page.goto(`/events/${eventId}/guests`);
      await expect(page.getByText(shown).first()).toBeVisible();
    };
    await open(text.none);
    await take(page, `${variant.name}/guests-none`);

    const { Meal: meal = '' } = await askBuyers(
      { ...organizer, eventId },
      { asksNames: 'optional', questions: [questionForm('Meal', { kind: 'one-of', options: ['Soup', 'Pie'] })] },
    );
    const order = await buyWithDetails(
      site,
      eventId,
      {
        tickets: [
          { name: 'Sofia Reyes', answers: { [meal]: 'Pie' } },
          { name: 'Omar', answers: { [meal]: 'Soup' } },
        ],
      },
      { email: 'sofia@example.com', cartItems: generalAdmission(2) },
    );
    const door = await attendantOf(site, eventId, attendantCode);
    await door.call(checkGuest, { eventId, confirmationNumber: codesOf(order)[0] ?? '' });
    await addGuests({ visitor: organizer.visitor, eventId }, [{ email: 'kim@example.com' }]);
    await open(text.found(3));
    await take(page, `${variant.name}/guests-three`);
    await page.getByRole('link', { name: 'Sofia Reyes' }).click();
    await expect(page.getByRole('heading', { name: guestDrawer.timeline })).toBeVisible();
    await take(page, `${variant.name}/guest-drawer`);

    await sellMany(db, eventId, 5000);
    await nameMany(db, eventId);
    await open(text.found(5003));
    await take(page, `${variant.name}/guests-many`, true);
    await page.evaluate(() => window.scrollTo(0, 100_000));
    await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
    await take(page, `${variant.name}/guests-scrolled`, true);
    await page.goto(`/events/${eventId}/guests?q=zzz`);
    await expect(page.getByText(text.noHit)).toBeVisible();
    await take(page, `${variant.name}/guests-no-hit`);
    await page.goto(`/events/${eventId}/guests?view=print&q=ana`);
    await expect(page.getByRole('button', { name: printedList.print })).toBeVisible();
    await take(page, `${variant.name}/guests-print`, true);
  });
