/** Check-in hours: set in the event form, and what the scanner says outside them. */
import type { Locator, Page } from '@playwright/test';
import { localTimeOf } from '#domain/local-time.ts';
import { checkInHeadlines } from '#messages/check-in.ts';
import { checkInHoursFields, eventUpdated } from '#messages/events.ts';
import { formText } from '#messages/forms.ts';
import { submissionFailed } from '#messages/pages.ts';
import { buyTickets, codesOf, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { answer, blockTicketList, checkByHand, mockChecks, openScanner } from './check-in-steps.ts';
import { expect, expectAccessible, expectFits, test } from './journey.ts';
import { expectTabReachesAll, press, tabTo } from './keyboard.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectToasts,
  newWindow,
  openProfile,
  putOnSale,
  readyOrganizer,
} from './organizer-page.ts';

const HOUR = 60 * 60 * 1000;
const ZONE = 'America/New_York';
/** Narrowest screen that WCAG requires. */
const NARROW = { width: 320, height: 640 };
const local = (time: number) => localTimeOf(new Date(time), ZONE);

/** Types a time as the field asks for it: month, day and year, then the time of day. */
async function typeTime(page: Page, field: Locator, time: string): Promise<void> {
  const [, year, month, day, hour, minute] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(time) ?? [];
  await tabTo(page, field);
  await page.keyboard.type(`${month}${day}${year}`);
  await page.keyboard.press('ArrowRight');
  const half = Number(hour) < 12 ? 'AM' : 'PM';
  await page.keyboard.type(`${String(Number(hour) % 12 || 12).padStart(2, '0')}${minute}${half}`);
  await expect(field).toHaveValue(time);
}

async function expectUsable(page: Page): Promise<void> {
  await expectFits(page);
  await expectAccessible(page);
}

test.afterEach(({ browser }) => closeWindows({ browser }));

test('an organizer sets check-in hours with the keyboard, and the scanner says when it opens [WINDOW-1 WINDOW-3]', async ({
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

  const page = await browserOf(organizer, browser, product, { viewport: NARROW });
  await openProfile(page);
  await press(page, page.getByRole('button', { name: 'Edit Event' }));
  const dialog = dialogOf(page, 'Edit Event');
  await press(page, dialog.locator('summary').filter({ hasText: checkInHoursFields.title }));
  await press(page, dialog.getByRole('button', { name: checkInHoursFields.propose }));
  const opens = dialog.getByLabel(checkInHoursFields.opens);
  await expect(opens).toHaveValue(local(start - 12 * HOUR));
  await expect(opens).toBeFocused();
  await expect(dialog.getByText(checkInHoursFields.closesByDefault)).toBeVisible();
  await expectUsable(page);
  await expectTabReachesAll(page, dialog);

  await typeTime(page, opens, local(start - 13 * HOUR));
  const save = dialog.getByRole('button', { name: 'Save Changes' });
  await press(page, save);
  const tooEarly = formText({ field: 'checkInOpens', reason: 'check-in.opens-too-early' });
  await expectToasts(page, [submissionFailed(tooEarly)]);
  await typeTime(page, opens, local(start - 2 * HOUR));
  await typeTime(page, dialog.getByLabel(checkInHoursFields.closes), local(start + 4 * HOUR));
  await press(page, save);
  await expect(dialogOf(page, eventUpdated)).toBeVisible();

  const phone = await newWindow(browser, product, { viewport: NARROW });
  await blockTicketList(phone);
  await openScanner(phone, event);
  await checkByHand(phone, code);
  await expect(answer(phone)).toContainText(checkInHeadlines['not-open']);
  await expect(answer(phone)).toContainText('Check-in opens ');
  await expectUsable(phone);
  await expectTabReachesAll(phone, phone.getByRole('main'));

  await mockChecks(phone, 'closed');
  await checkByHand(phone, code);
  await expect(answer(phone)).toContainText(checkInHeadlines.closed);
  await expectUsable(phone);
  await expectTabReachesAll(phone, phone.getByRole('main'));
});
