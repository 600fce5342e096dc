/** A leaked attendant code. */
import { enterAttendantCode } from '#contract/app/check-in.ts';
import { attendantCodeChanged } from '#messages/check-in.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from './journey.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  expectFallback,
  expectToasts,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';

test.afterAll(({ browser }) => closeWindows({ browser }));

test('The attendant code is changed on the event’s card after a confirmation, and the old one stops working', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId, attendantCode } = await putOnSale(product, organizer);
  const page = await browserOf(organizer, browser, product);
  await openProfile(page);
  await showDetails(page);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialog = dialogOf(page, 'Change the attendant code?');
  await expect(page.getByText(attendantCode)).toBeVisible();

  await press('Change the attendant code');
  await press('Keep the code');
  await expect(dialog).toBeHidden();
  await expect(page.getByText(attendantCode)).toBeVisible();

  await press('Change the attendant code');
  const path = '/api/protected/change-attendant-code';
  await expectFallback(
    page,
    path,
    () => press('Change the code'),
    'Something went wrong on our side. Please try again.',
  );
  await press('Change the code');
  await expectToasts(page, [attendantCodeChanged]);

  await expect(dialog).toBeHidden();
  await expect(page.getByText(attendantCode)).toBeHidden();
  const entered = await siteOf(product).call(enterAttendantCode, { eventId, formData: { attendantCode } });
  expect(entered.status).toBe(401);
});
