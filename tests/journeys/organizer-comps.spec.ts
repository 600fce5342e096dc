/** Guests at no charge: their organizer's screen, their email, and their tickets. */

import { errorText } from '#messages/errors.ts';
import { formText } from '#messages/forms.ts';
import { addCompsLink, compMark, ofWhichComps } from '#messages/guests.ts';
import { eventList } from '#messages/records/workspace.ts';
import {
  compEmail,
  compsAdded,
  compWithdrawn,
  compWithdrawnEmail,
  compsPage as text,
  typedGuestsProblem,
} from '#messages/sales/comps.ts';
import { importPage as imports, rowProblem } from '#messages/sales/import-guests.ts';
import { orderPage } from '#messages/sales/order-page.ts';
import { addGuests } from '#tests/support/comps.ts';
import { buyTickets, expectOk, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, expectFits, expectReadable, withOwnProduct } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';

const test = withOwnProduct();

test.afterEach(({ browser }) => closeWindows({ browser }));

test('adds guests, who get in, and withdraws one, by keyboard at 320 pixels [COMP-1 COMP-4]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer, {
    tickets: [{ ticketName: 'General admission', ticketDescription: 'Standing', ticketPrice: 24, ticketQuantity: 3 }],
  });
  await buyTickets(siteOf(product), eventId, generalAdmission(1));
  const page = await browserOf(organizer, browser, product, { viewport: { width: 320, height: 640 } });
  await openProfile(page);
  await press(page, page.getByRole('link', { name: eventList.open, exact: true }));
  await press(page, page.getByRole('link', { name: /^Guests \d/ }));
  await press(page, page.getByRole('link', { name: addCompsLink }));
  await expect(page.getByRole('heading', { name: text.title, level: 1 })).toBeVisible();
  await expect(page.getByText(text.none)).toBeVisible();

  const add = page.getByRole('button', { name: text.add });
  await press(page, add);
  await expectToasts(page, [formText({ field: 'guests', reason: 'guest.missing' })]);
  await type(page, page.getByLabel(text.guests, { exact: true }), 'kim@example.com, sam@\nbroken <broken@>');
  await press(page, add);
  const badLines = typedGuestsProblem({ field: 'guests', reason: 'email.invalid', expected: '1: sam@\n2: broken@' });
  await expectToasts(page, [badLines]);
  await expect(page.getByLabel(text.guests, { exact: true })).toHaveAccessibleDescription(
    `${text.guestsHint} ${badLines}`,
  );
  await page.getByLabel(text.guests, { exact: true }).clear();
  await type(page, page.getByLabel(text.guests, { exact: true }), 'kim@example.com\nada@example.com\nlee@example.com');
  await press(page, add);
  await expectToasts(page, [errorText('comp.too-few-left', { name: 'General admission', left: 2 })]);

  await tabTo(page, page.getByLabel(text.raise));
  await page.keyboard.press('Space');
  await press(page, add);
  await expectToasts(page, [compsAdded(3)]);
  await expect(page.getByText(text.count(3))).toBeVisible();
  await expectFits(page);
  await expectReadable(page);

  const email = await emailTo(product, 'kim@example.com', new RegExp(compEmail.subject('Basement Brass')));
  const guest = await newWindow(browser, product);
  await guest.goto(/http\S+\/order\/\S+/.exec(email.text)?.[0] ?? '');
  await expect(guest.getByRole('heading', { name: orderPage.admitted(), level: 1 })).toBeVisible();
  await expect(guest.getByText(orderPage.cannotCome)).toBeVisible();
  await expect(guest.getByRole('button', { name: /^Cancel/ })).toHaveCount(0);

  const row = page.getByRole('row').filter({ hasText: 'kim@example.com' });
  await press(page, row.getByRole('button'));
  const dialog = dialogOf(page, text.withdrawTitle('General admission', { email: 'kim@example.com', name: null }));
  await press(page, dialog.getByRole('button', { name: text.withdraw }));
  await expectToasts(page, [compWithdrawn]);
  await expect(row.getByText(text.states.refunded)).toBeVisible();
  await expect(page.getByText(text.count(2))).toBeVisible();
  await emailTo(product, 'kim@example.com', new RegExp(compWithdrawnEmail.subject('Basement Brass')));
  await guest.reload();
  await expect(guest.getByRole('heading', { name: orderPage.withdrawn, level: 1 })).toBeVisible();
});

test('counts comps in the header of their event, and marks them on the guest list [COMP-3]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await buyTickets(siteOf(product), eventId, generalAdmission(2));
  const guests = Array.from({ length: 12 }, (_, index) => ({ email: `guest-${index}@example.com` }));
  expectOk(await addGuests({ ...organizer, eventId }, guests));
  const page = await browserOf(organizer, browser, product);
  await openProfile(page);
  const card = page.getByRole('article', { name: 'Basement Brass' });
  await expect(card.getByText(ofWhichComps(12), { exact: true })).toBeVisible();
  await showDetails(page);
  await expect(card.getByRole('heading', { level: 4 }).last()).toHaveText(
    `14 tickets sold, ${ofWhichComps(12)}, $48.00 grossed`,
  );
  await card.getByRole('button', { name: 'Show Guest List' }).click();
  await expect(card.getByText(compMark, { exact: true })).toHaveCount(12);
});

const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(['Name,Contact,Seats', ...lines].join('\n')),
});

test('imports the guests of a file after a preview that names each bad row [COMP-2]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product, { viewport: { width: 320, height: 640 } });
  await page.goto(`/events/${eventId}/comps`);
  const file = page.getByLabel(imports.file);
  const section = page.getByRole('region', { name: imports.title });
  const button = (guests: number) => section.getByRole('button', { name: imports.importAll(guests) });

  await file.setInputFiles(csv('bad.csv', 'Ada,ada@example.com,2', 'Kim,kim@,0'));
  await section.getByLabel(imports.email).selectOption({ label: 'Contact' });
  await section.getByLabel(imports.quantity).selectOption({ label: 'Seats' });
  const problems = section.getByRole('list', { name: imports.problems(1) });
  await expect(problems.getByRole('listitem')).toHaveText([
    rowProblem({ row: 3, reason: 'email', value: 'kim@' }),
    rowProblem({ row: 3, reason: 'quantity', value: '0' }),
  ]);
  await expect(section.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
  await expectFits(page);
  await expectReadable(page);

  await file.setInputFiles({ name: 'photo.csv', mimeType: 'text/csv', buffer: Buffer.from([0xff, 0xd8]) });
  await expect(section.getByText(errorText('import.not-utf8'))).toBeVisible();

  const many = Array.from({ length: 12 }, (_, index) => `Guest ${index},guest-${index}@example.com,1`);
  await file.setInputFiles(csv('good.csv', ...many));
  await section.getByLabel(imports.email).selectOption({ label: 'Contact' });
  await section.getByLabel(imports.defaultType).selectOption({ label: 'Balcony' });
  await expect(section.getByText(imports.short({ ticketName: 'Balcony', wanted: 12, left: 10 }))).toBeVisible();
  await button(12).click();
  await expectToasts(page, [errorText('comp.too-few-left', { name: 'Balcony', left: 10 })]);
  await section.getByLabel(text.raise).check();
  await expectFits(page);
  await expectReadable(page);
  await button(12).click();
  await expectToasts(page, [imports.imported(12)]);
  await expect(page.getByText(text.count(12))).toBeVisible();
  await expect(page.getByText(imports.underWay)).toHaveCount(0);
  await emailTo(product, 'guest-11@example.com', new RegExp(compEmail.subject('Basement Brass')));
});

test('says that an event that is over or unknown takes no guests', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  const page = await browserOf(organizer, browser, product);
  await page.goto('/events/AAAAAAAAAAAAAAAA/comps');
  await expect(page.getByRole('heading', { name: errorText('event.not-found'), level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: text.back }).first());
});
