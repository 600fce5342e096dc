/** Names and notes at the door: what the organizer turns on, and what phones show. */
import type { Page } from '@playwright/test';
import { findGuests, nameSearch } from '#contract/app/sales/find-guests.ts';
import {
  admitted,
  attendantAccepted,
  checkInUndone,
  lookupTabs,
  doorNote as noteLabel,
  guestSearch as text,
} from '#messages/check-in.ts';
import { formText } from '#messages/forms.ts';
import { addCompsLink } from '#messages/guests.ts';
import { compsAdded, compsPage } from '#messages/sales/comps.ts';
import { doorNoteSaved, doorNoteDialog as notes } from '#messages/sales/door-notes.ts';
import { nameSearchSaved, questionSettings } from '#messages/sales/questions.ts';
import { addGuests, compsOf } from '#tests/support/comps.ts';
import { askBuyers, questionForm } from '#tests/support/guest-forms.ts';
import { buyTickets, expectOk, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { answer, checkByHand, openScanner } from './check-in-steps.ts';
import { expect, expectAccessible, expectFits, expectReadable, test } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  expectToasts,
  memberOf,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const narrow = { viewport: { width: 320, height: 640 } };
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Find a ticket' });
const tab = (page: Page, name: string) => dialog(page).getByRole('tab', { name });

test('a member finds a guest by name and lets them in, by keyboard at 320 pixels [FIND-2 FIND-3]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { visitor } = organizer;
  const { eventId } = await putOnSale(product, organizer);
  await askBuyers({ visitor, eventId }, { asksNames: 'optional' });
  expectOk(await addGuests({ visitor, eventId }, [{ name: 'Ada Lovelace', doorNote: 'Guest of the band' }]));
  const [comp] = await compsOf({ visitor, eventId });

  const owner = await browserOf(organizer, browser, product, narrow);
  await owner.goto(`/events/${eventId}/tickets`);
  const section = owner.getByRole('region', { name: questionSettings.title });
  await section.getByRole('heading', { name: questionSettings.title }).focus();
  await tabTo(owner, section.getByLabel(questionSettings.nameSearch));
  await owner.keyboard.press('Space');
  await expectToasts(owner, [nameSearchSaved(true)]);
  await expect(section.getByLabel(questionSettings.nameSearch)).toBeChecked();
  await expectFits(owner);
  await expectReadable(owner);

  const helper = await memberOf(product, organizer, 'check-in', [eventId]);
  const page = await browserOf(helper, browser, product, narrow);
  await page.goto(`/scanner?event=${eventId}`);
  await press(page, page.getByRole('button', { name: 'Find' }));
  await expect(dialog(page).getByLabel('Last 4 digits')).toBeFocused();
  await tabTo(page, tab(page, lookupTabs.number));
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, lookupTabs.name)).toBeFocused();
  await type(page, dialog(page).getByRole('textbox', { name: text.label }), 'ad');
  await page.keyboard.press('Enter');
  await expectToasts(page, [formText({ field: 'name', reason: 'guest-search.too-short' })]);
  await page.keyboard.type('a lov');
  await page.keyboard.press('Enter');
  const found = dialog(page).getByRole('listitem');
  await expect(found).toContainText('Ada Lovelace');
  await expect(found).toContainText(`…${comp?.confirmationNumber.slice(-2)}`);
  await expectFits(page);
  await expectAccessible(page);

  await press(page, found.getByRole('button'));
  await expect(dialog(page)).toHaveCount(0);
  await expect(answer(page)).toContainText(admitted('General admission').replace(/^Let them in: /, ''));
  // In the live region, after the result.
  await expect(answer(page)).toHaveText(new RegExp(`Let them in.*${noteLabel}.*Guest of the band`));
  // Before the ten seconds are over in which it is offered.
  await press(page, page.getByRole('button', { name: 'Undo', exact: true }).first());
  await expectToasts(page, [checkInUndone]);
  await expect(answer(page)).not.toContainText('Guest of the band');

  await press(page, page.getByRole('button', { name: 'Find' }));
  await tabTo(page, tab(page, lookupTabs.number));
  await page.keyboard.press('ArrowRight');
  await type(page, dialog(page).getByRole('textbox', { name: text.label }), 'ada lov');
  await page.keyboard.press('Enter');
  await press(page, found.getByRole('button'));
  await expect(answer(page)).toContainText('Guest of the band');
  await expectFits(page);
  await expectAccessible(page);
});

test('an attendant finds names, and lets no one in by them [FIND-2 FIND-3]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { visitor } = organizer;
  const event = await putOnSale(product, organizer);
  const { eventId } = event;
  expectOk(await addGuests({ visitor, eventId }, [{ name: 'Ada Lovelace' }]));
  const page = await newWindow(browser, product, { viewport: { width: 390, height: 844 } });
  await openScanner(page, event);
  // Escape closes a toast before a dialog.
  await expectToasts(page, [attendantAccepted]);
  const find = page.getByRole('button', { name: 'Find' });
  await find.click();
  await dialog(page).getByLabel('Last 4 digits').fill('84');
  await expect(dialog(page).getByRole('tab')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);

  const owner = await browserOf(organizer, browser, product);
  await owner.goto(`/events/${eventId}/tickets`);
  await owner.getByLabel(questionSettings.nameSearch).check();
  await expectToasts(owner, [nameSearchSaved(true)]);

  await find.click();
  await dialog(page).getByLabel('Last 4 digits').fill('84');
  await tab(page, lookupTabs.name).click();
  await expect(dialog(page)).toContainText(text.membersOnly);
  const search = async (name: string) => {
    await dialog(page).getByRole('textbox', { name: text.label }).fill(name);
    await dialog(page).getByRole('button', { name: text.find }).click();
  };
  await search('Ada');
  await expect(dialog(page).getByRole('listitem')).toContainText('Ada Lovelace');
  await expect(dialog(page).getByRole('listitem').getByRole('button')).toHaveCount(0);
  await search('Grace');
  await expect(dialog(page)).toContainText(text.none('Grace'));

  await page.route(`**${findGuests.path}`, (route) => route.abort());
  await search('Ada');
  await expect(dialog(page)).toContainText(text.needsNetwork);
  await page.keyboard.press('Escape');
  await page.route(`**${nameSearch.path}`, (route) => route.abort());
  await find.click();
  await expect(dialog(page).getByLabel('Last 4 digits')).toBeFocused();
  await expect(dialog(page).getByRole('tab')).toHaveCount(0);
});

test('a note from the guest list, and access needs, are shown after "Let them in", and not offline [LIST-2]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { visitor } = organizer;
  const event = await putOnSale(product, organizer);
  const { eventId } = event;
  const { confirmationData } = await buyTickets(siteOf(product), eventId, generalAdmission(2));
  const [first = '', second = ''] = confirmationData.map(({ confirmationNumber }) => confirmationNumber);
  await askBuyers({ visitor, eventId }, { questions: [questionForm('Access needs', { kind: 'access' })] });

  const owner = await browserOf(organizer, browser, product, narrow);
  await openProfile(owner);
  await showDetails(owner);
  await press(owner, owner.getByRole('button', { name: 'Show Guest List' }));
  const row = owner.getByRole('row').filter({ hasText: first });
  await press(owner, row.getByRole('button', { name: notes.open }));
  const open = owner.getByRole('dialog', { name: notes.title('sam@example.com') });
  await expect(open.getByLabel(notes.label)).toBeFocused();
  await owner.keyboard.type('x'.repeat(201));
  await press(owner, open.getByRole('button', { name: notes.save }));
  await expectToasts(owner, [formText({ field: 'doorNote', reason: 'door-note.too-long' })]);
  await open.getByLabel(notes.label).fill('Needs a chair');
  await expectFits(owner);
  await expectAccessible(owner);
  await press(owner, open.getByRole('button', { name: notes.save }));
  await expectToasts(owner, [doorNoteSaved('Needs a chair')]);
  await expect(row).toContainText(notes.shown('Needs a chair'));
  await expect(row.getByRole('button', { name: notes.open })).toBeFocused();

  const page = await newWindow(browser, product, { viewport: { width: 390, height: 844 } });
  await openScanner(page, event);
  await expect(page.getByText(/online, list from/)).toBeVisible();
  await checkByHand(page, first);
  await expect(answer(page)).toHaveText(new RegExp(`Let them in.*${noteLabel}.*Needs a chair`));
  await checkByHand(page, second);
  await expect(answer(page)).not.toContainText('Needs a chair');
  await expect(answer(page)).not.toContainText(noteLabel);
});

test('guests are added by name, with a note for the door, by keyboard [COMP-1]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, narrow);
  await openProfile(page);
  await showDetails(page);
  await press(page, page.getByRole('button', { name: 'Show Guest List' }));
  await press(page, page.getByRole('link', { name: addCompsLink }));
  await type(page, page.getByLabel(compsPage.guests, { exact: true }), 'Ada Lovelace\nKim <kim@example.com>');
  await type(page, page.getByLabel(compsPage.doorNote, { exact: true }), 'Guest of the band');
  await press(page, page.getByRole('button', { name: compsPage.add }));
  await expectToasts(page, [compsAdded(2, 1)]);
  const row = page.getByRole('row').filter({ hasText: 'Ada Lovelace' });
  await expect(row).toContainText(compsPage.noEmail);
  await expect(row).toContainText(notes.shown('Guest of the band'));
  await expectFits(page);
  await expectReadable(page);
});
