/** The editor of an event's page, by keyboard alone: at a desktop's width, and on a phone. */
import type { Page } from '@playwright/test';
import { editEvent, editTickets, eventTickets } from '#contract/app/events.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { onboardingIncomplete } from '#messages/accounts.ts';
import { eventErrors, onlyTicketSettingsChanged, saveAndEmail } from '#messages/events.ts';
import { submissionFailed } from '#messages/pages.ts';
import {
  eventEditor,
  liveBar,
  pastVenuesText,
  previewPane,
  publishList,
  reviewText,
  saveStates as states,
} from '#messages/records/event-editor.ts';
import { leaving as leavingText } from '#messages/records/long-forms.ts';
import { eventTabs } from '#messages/records/workspace.ts';
import { lifeActions } from '#messages/sales/event-life.ts';
import { quantitySteps } from '#messages/sales/ticket-settings.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { buyTickets, eventForm, expectOk, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectUsable, test } from './journey.ts';
import { press, tabTo, type } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  failing,
  fillIn,
  openProfile,
  putOnSale,
  readyOrganizer,
  verifiedAccount,
} from './organizer-page.ts';
import { typedEvent } from './typed-event.ts';

const WINDOWS = {
  desktop: { viewport: { width: 1360, height: 800 } },
  phone: { viewport: { width: 390, height: 844 } },
};

const ZONE = 'America/New_York';
const inHours = (hours: number) => localTimeOf(new Date(Date.now() + hours * 3_600_000), ZONE);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const bar = (page: Page) => page.getByRole('region', { name: eventEditor.state });
const heading = (page: Page) =>
  page.frameLocator(`iframe[title="${previewPane.frame}"]`).getByRole('heading', { level: 1 });

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const [name, window] of Object.entries(WINDOWS)) {
  /** Where only one of the two is shown, the other is asked for. */
  const show = async (page: Page, pane: 'edit' | 'preview') => {
    if (name === 'phone') await press(page, button(page, eventEditor[pane]));
  };

  test(`a new event is typed, watched, saved and published, on a ${name} [EDITOR-1 EDITOR-3 EDITOR-5]`, async ({
    browser,
    product,
  }) => {
    const page = await browserOf(await readyOrganizer(product), browser, product, window);
    await openProfile(page);
    await press(page, button(page, 'Create Event').first());
    await type(page, dialogOf(page, 'Create Event').getByLabel('Title'), 'Cellar');
    await press(page, page.getByRole('link', { name: eventEditor.openPage }));

    // What was begun in the dialog goes on here. Its own field stays for a moment.
    await expect(page.getByRole('heading', { level: 1, name: eventEditor.newTitle })).toBeVisible();
    const title = page.getByLabel('Title');
    await expect(title).toHaveValue('Cellar');
    await tabTo(page, title);
    await page.keyboard.press('End');
    await page.keyboard.type(' Strings');
    await show(page, 'preview');
    await expect(heading(page)).toHaveText('Cellar Strings');
    await expectUsable(page);
    await show(page, 'edit');

    await press(page, button(page, lifeActions.saveDraft));
    await expect(bar(page)).toContainText(/^\d+ things to fix/);
    await expect(page.getByLabel('Description').first()).toBeFocused();
    await expectUsable(page);
    await fillIn(page.getByRole('form', { name: eventEditor.form }), {
      ...typedEvent,
      startDate_startTime: inHours(48),
    });
    // The end followed the start, and the pin the address: nothing is left to fix.
    await expect(bar(page)).toContainText(states.onDevice);
    await press(page, button(page, lifeActions.saveDraft));
    await page.waitForURL(/\/events\/[\w-]{16}\/page$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Page' })).toBeVisible();
    await expect(page.getByText(publishList.ready)).toBeVisible();

    await tabTo(page, title);
    await page.keyboard.press('End');
    await page.keyboard.type(', again');
    await expect(bar(page)).toContainText(states.saved);
    await show(page, 'preview');
    await expect(heading(page)).toHaveText('Cellar Strings, again');
    await expectUsable(page);
    await show(page, 'edit');
    await page.reload();
    await expect(title).toHaveValue('Cellar Strings, again');

    await press(page, button(page, lifeActions.publish));
    await press(
      page,
      dialogOf(page, lifeActions.publish).getByRole('button', { name: lifeActions.publish, exact: true }),
    );
    const published = dialogOf(page, lifeActions.published);
    const address = await published.getByRole('link').first().getAttribute('href');
    await press(page, published.getByRole('button', { name: 'Done', exact: true }));
    await expect(bar(page)).toContainText(liveBar.unchanged);
    const buyer = await browser.newPage();
    await buyer.goto(address ?? '');
    await expect(buyer.getByRole('heading', { level: 1 })).toHaveText('Cellar Strings, again');
  });

  test(`the date of an event with buyers is moved, reviewed and published, on a ${name} [EDITOR-4 LIFE-9]`, async ({
    browser,
    product,
  }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    for (const buyer of ['sam@example.com', 'noor@example.com'])
      await buyTickets(siteOf(product), eventId, generalAdmission(1), buyer);
    const page = await browserOf(organizer, browser, product, window);
    await page.goto(`/events/${eventId}/page`);
    await expect(bar(page)).toContainText(liveBar.unchanged);
    await expectUsable(page);

    // One change is discarded, as if it had never been typed.
    const title = page.getByLabel('Title');
    await tabTo(page, title);
    await page.keyboard.press('End');
    await page.keyboard.type(' and more');
    await expect(bar(page)).toContainText(liveBar.changes(1));
    await press(page, button(page, liveBar.discard));
    const discarding = dialogOf(page, liveBar.discardTitle);
    await expectUsable(page);
    await press(page, discarding.getByRole('button', { name: liveBar.discard, exact: true }));
    await expect(title).toHaveValue('Basement Brass');
    await expect(bar(page)).toContainText(liveBar.unchanged);

    await page.getByLabel('Start date and time').fill(inHours(60));
    await expect(bar(page)).toContainText(liveBar.emails({ buyers: 2, about: 'date' }));
    await show(page, 'preview');
    await expect(page.frameLocator('iframe').locator('time').first()).toBeVisible();
    await expectUsable(page);
    await press(page, button(page, liveBar.review));
    const review = dialogOf(page, reviewText.title);
    await expect(review.getByText('Start date and time')).toBeVisible();
    await expect(review.getByText(eventErrors['edit.emails-buyers']({ buyers: 2, about: 'date' }))).toBeVisible();
    await expectUsable(page);
    await press(page, review.getByRole('button', { name: saveAndEmail, exact: true }));
    await expectToasts(page, [reviewText.published]);
    await expect(review).toBeHidden();
    await expect(bar(page)).toContainText(liveBar.unchanged);
  });
}

test('a new event is published with one press, and a denied one stays as it is [EDITOR-6]', async ({
  browser,
  product,
}) => {
  const page = await browserOf(await verifiedAccount(product), browser, product, WINDOWS.phone);
  await page.goto('/events/new');
  const title = page.getByLabel('Title');
  await fillIn(page.getByRole('form', { name: eventEditor.form }), {
    title: 'Cellar Strings',
    ...typedEvent,
    startDate_startTime: inHours(48),
  });
  await expect(page.getByLabel('Latitude')).not.toHaveValue('');
  await press(page, button(page, lifeActions.publish));
  await expectToasts(page, [submissionFailed(onboardingIncomplete)]);
  await page.reload();
  await expect(title).toHaveValue('Cellar Strings');

  // Without anything to pay for, there is nothing to pay out.
  await page.getByLabel('Price').fill('0');
  await press(page, button(page, lifeActions.publish));
  const published = dialogOf(page, lifeActions.published);
  await expect(published).toBeVisible();
  await expectUsable(page);
  const address = await published.getByRole('link').first().getAttribute('href');
  await press(page, published.getByRole('button', { name: 'Done', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: eventTabs.overview })).toBeVisible();
  await page.goto('/events/new');
  await expect(title).toHaveValue('');
  const buyer = await browser.newPage();
  await buyer.goto(address ?? '');
  await expect(buyer.getByRole('heading', { level: 1 })).toHaveText('Cellar Strings');
});

test('leaving with unsaved changes asks, and a draft that cannot be saved keeps what is typed [EDITOR-3 EDITOR-4]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const site = siteOf(product);
  const draft = await newDraft(site, organizer, { title: 'Cellar Strings' });
  const page = await browserOf(organizer, browser, product, WINDOWS.desktop);
  await page.goto(`/events/${draft.eventId}/page`);
  const title = page.getByLabel('Title');
  await expect(bar(page)).toContainText(states.saved);

  await failing(page, editEvent.path.replace(':eventId', draft.eventId), 'unanswered', async () => {
    await title.fill('Cellar Strings, late');
    await expect(bar(page)).toContainText(states.failed);
    await page.getByRole('link', { name: 'Overview' }).click();
    const leaving = dialogOf(page, leavingText.title);
    await press(page, leaving.getByRole('button', { name: leavingText.stay, exact: true }));
    await expect(title).toHaveValue('Cellar Strings, late');
    // A draft tries again by itself, too, so the button may be gone a moment later.
    await tabTo(page, button(page, states.tryAgain));
  });
  await page.keyboard.press('Enter');
  await expect(bar(page)).toContainText(states.saved);

  // Another window saves first.
  expectOk(
    await organizer.visitor.call(editEvent, { ...eventForm(site, { title: 'Theirs' }), eventId: draft.eventId }),
  );
  await title.fill('Mine');
  // The frame of the page shows the new title too.
  const conflict = page.getByRole('alert').filter({ hasText: eventErrors['event.changed'] });
  await expect(conflict.getByText('Theirs')).toBeVisible();
  await expectUsable(page);
  await press(page, button(page, 'Save mine anyway'));
  await expect(bar(page)).toContainText(states.saved);

  // So does the Tickets page, with a setting that this form doesn't have.
  const { tickets } = eventForm(site);
  const setting = { allowsTicketTransfer: false };
  expectOk(await organizer.visitor.call(editTickets, { eventId: draft.eventId, tickets, ...setting }));
  await title.fill('Mine, late');
  await expect(conflict.getByText(onlyTicketSettingsChanged)).toBeVisible();
  await expectUsable(page);
  await press(page, button(page, 'Save mine anyway'));
  await expect(bar(page)).toContainText(states.saved);
  await page.reload();
  await expect(title).toHaveValue('Mine, late');
  expect(expectOk(await organizer.visitor.call(eventTickets, { eventId: draft.eventId }))).toMatchObject(setting);
});

test('a past venue fills in the address and the pin as it was placed [EDITOR-8]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  await putOnSale(product, organizer, { venueName: 'The Cellar', latitude: 40.7199, longitude: -73.9555 });
  const page = await browserOf(organizer, browser, product, WINDOWS.phone);
  await page.goto('/events/new');
  const venues = page.getByLabel(pastVenuesText.label);
  await tabTo(page, venues);
  await venues.selectOption({ index: 1 });
  await expect(page.getByLabel('Street')).toHaveValue('38 Withers St');
  await expect(page.getByLabel('Postal code')).toHaveValue('11211');
  await expect(page.getByLabel('Latitude')).toHaveValue('40.7199');
  await expectUsable(page);
  // Another address is looked up.
  await page.getByLabel('Street').fill('178 Bleecker St');
  await page.getByLabel('Postal code').fill('10012');
  await expect(page.getByLabel('Latitude')).not.toHaveValue('40.7199');
  await expect(venues).toHaveValue('');
});

test('a quantity is typed, or stepped with the arrow keys or by touch [EDITOR-7]', async ({ browser, product }) => {
  const page = await browserOf(await verifiedAccount(product), browser, product, { ...WINDOWS.phone, hasTouch: true });
  await page.goto('/events/new');
  const quantity = page.getByLabel('Quantity');
  const [less, more] = [button(page, quantitySteps.less), button(page, quantitySteps.more)];
  await more.tap();
  await more.tap();
  await less.tap();
  await less.tap();
  // There is no event without a ticket.
  await expect(quantity).toHaveValue('1');
  const box = await more.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await quantity.fill('30');
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown']) await quantity.press(key);
  await expect(quantity).toHaveValue('31');
  await expectUsable(page);
});

test('a draft says what publishing waits for [EDITOR-5]', async ({ browser, product }) => {
  const organizer = await verifiedAccount(product);
  const { eventId } = await newDraft(siteOf(product), organizer);
  const page = await browserOf(organizer, browser, product, WINDOWS.phone);
  await page.goto(`/events/${eventId}/page`);
  const list = page.getByRole('region', { name: publishList.title });
  await expect(list.getByRole('listitem').filter({ hasText: publishList.open })).toContainText([
    publishList.steps['account-information'],
    publishList.steps['connect-payouts'],
  ]);
  await page.getByLabel('Start date and time').fill('2020-05-01T20:00');
  await expect(list).toContainText(`${publishList.open}: ${publishList.steps.date}`);
  await expectUsable(page);

  // Without anything to pay for, there is nothing to pay out.
  for (const price of await page.getByLabel('Price').all()) await price.fill('0');
  await expect(list.getByText(publishList.steps['account-information'])).toBeHidden();
  await page.getByLabel('Title').fill('');
  await expect(list).toContainText(`${publishList.open}: ${publishList.steps.fields}`);
  await expect(bar(page)).toContainText(states.incomplete(1));
});
