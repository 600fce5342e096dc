/** Check-in hours: set in the event form, and what the scanner says outside them. */
import { localTimeOf } from '#domain/local-time.ts';
import { checkInHeadlines } from '#messages/check-in.ts';
import { checkInHoursFields, eventUpdated } from '#messages/events.ts';
import { formText } from '#messages/forms.ts';
import { submissionFailed } from '#messages/pages.ts';
import { buyTickets, codesOf, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { answer, blockTicketList, checkByHand, openScanner } from './check-in-steps.ts';
import { expect, expectAccessible, test } from './journey.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  fillIn,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

const HOUR = 60 * 60 * 1000;
const ZONE = 'America/New_York';
const local = (time: number) => localTimeOf(new Date(time), ZONE);

test.afterEach(({ browser }) => closeWindows({ browser }));

test('an organizer sets check-in hours, and the scanner says when it opens [WINDOW-1 WINDOW-3]', async ({
  browser,
  product,
}) => {
  const site = siteOf(product);
  const organizer = await readyOrganizer(product);
  const start = Math.ceil(Date.now() / HOUR) * HOUR + 40 * HOUR;
  const event = await putOnSale(product, organizer, {
    title: 'Not Before Eight',
    startDate_startTime: local(start),
    endDate_endTime: local(start + 3 * HOUR),
  });
  const [code = ''] = codesOf(await buyTickets(site, event.eventId, generalAdmission(1), 'early-bird@example.com'));

  const page = await browserOf(organizer, browser, product, { viewport: { width: 390, height: 844 } });
  await openProfile(page);
  await page.getByRole('button', { name: 'Edit Event' }).click();
  const dialog = dialogOf(page, 'Edit Event');
  await dialog.getByRole('button', { name: checkInHoursFields.propose }).click();
  await expect(dialog.getByLabel(checkInHoursFields.opens)).toHaveValue(local(start - 12 * HOUR));
  await expect(dialog.getByText(checkInHoursFields.closesByDefault)).toBeVisible();
  await expectAccessible(page);

  await fillIn(dialog, { checkInOpens: local(start - 13 * HOUR) });
  const save = dialog.getByRole('button', { name: 'Save Changes' });
  await save.click();
  const tooEarly = formText({ field: 'checkInOpens', reason: 'check-in.opens-too-early' });
  await expectToasts(page, [submissionFailed(tooEarly)]);
  await fillIn(dialog, { checkInOpens: local(start - 2 * HOUR), checkInCloses: local(start + 4 * HOUR) });
  await save.click();
  await expect(dialogOf(page, eventUpdated)).toBeVisible();

  const phone = await newWindow(browser, product, { viewport: { width: 390, height: 844 } });
  await blockTicketList(phone);
  await openScanner(phone, event);
  await checkByHand(phone, code);
  await expect(answer(phone)).toContainText(checkInHeadlines['not-open']);
  await expect(answer(phone)).toContainText('Check-in opens ');
  await expectAccessible(phone);
});
