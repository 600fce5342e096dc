/** Names and notes at the door, and where organizers set them up. */
import { lookupTabs, guestSearch as text } from '#messages/check-in.ts';
import { doorNoteDialog } from '#messages/sales/door-notes.ts';
import { questionSettings } from '#messages/sales/questions.ts';
import { addGuests, compsOf } from '#tests/support/comps.ts';
import { askBuyers, questionForm } from '#tests/support/guest-forms.ts';
import { expectOk } from '#tests/support/people.ts';
import { answer, checkByHand } from '../journeys/check-in-steps.ts';
import { expect, test } from '../journeys/journey.ts';
import {
  browserOf,
  closeWindows,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`names and notes, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { visitor } = organizer;
    const { eventId, eventUrl } = await putOnSale(product, organizer, {
      tickets: [
        { ticketName: 'General admission', ticketDescription: 'Standing', ticketPrice: 24, ticketQuantity: 100 },
        {
          ticketName: 'Wheelchair place',
          ticketDescription: 'Step-free, near the stage',
          ticketPrice: 24,
          ticketQuantity: 4,
          access: 'companion',
        },
      ],
    });
    await askBuyers(
      { visitor, eventId },
      { asksNames: 'optional', questions: [questionForm('Access needs', { kind: 'access' })] },
    );
    const doorNote = 'Guest of the band. Take her to the green room, second door on the left.';
    expectOk(
      await addGuests({ visitor, eventId }, [
        { name: 'Ada Lovelace', doorNote },
        { name: 'Ada Byron', email: 'ada@example.com' },
      ]),
    );
    const comps = await compsOf({ visitor, eventId });
    const number = comps.find(({ name }) => name === 'Ada Lovelace')?.confirmationNumber ?? '';
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto(eventUrl);
    await page.getByText('Wheelchair place').first().scrollIntoViewIfNeeded();
    await take(page, `${variant.name}/event-access`);
    await page.goto(`/events/${eventId}/comps`);
    await expect(page.getByText('Ada Lovelace')).toBeVisible();
    await take(page, `${variant.name}/comps-by-name`, true);

    await page.goto(`/events/${eventId}/tickets`);
    const section = page.getByRole('region', { name: questionSettings.title });
    await section.getByLabel(questionSettings.nameSearch).check();
    await section.screenshot({ path: `screenshots/${variant.name}/name-search.png` });
    await section.getByRole('button', { name: questionSettings.editLabel('Access needs') }).click();
    await take(page, `${variant.name}/question-at-door`);

    await openProfile(page);
    await showDetails(page);
    await page.getByRole('button', { name: 'Show Guest List' }).click();
    await page.getByText('Ada Lovelace').first().scrollIntoViewIfNeeded();
    await take(page, `${variant.name}/guests-with-notes`);
    await page.getByRole('button', { name: doorNoteDialog.openLabel('Ada Lovelace') }).click();
    await take(page, `${variant.name}/door-note-dialog`);

    await page.goto(`/scanner?event=${eventId}`);
    await expect(page.getByLabel('Confirmation Code')).toBeVisible();
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('tab', { name: lookupTabs.name }).click();
    await page.getByRole('textbox', { name: text.label }).fill('Ada');
    await page.getByRole('button', { name: text.find }).click();
    await expect(page.getByText('Ada Byron')).toBeVisible();
    await take(page, `${variant.name}/find-by-name`);
    await page.keyboard.press('Escape');
    await checkByHand(page, number);
    await expect(answer(page)).toContainText('Guest of the band');
    await take(page, `${variant.name}/door-with-note`);
  });
