/** The activity of an organization, and the operator's log of all. */
import { auditMessage, auditPage, activityPage as text } from '#messages/records/audit.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { logInAgain } from '#tests/support/people.ts';
import { expect, expectAccessible, expectFits, test } from './journey.ts';
import { browserOf, openProfile, putOnSale, readyOrganizer } from './organizer-page.ts';

const title = 'Audited evening';

test('the activity page says what happened, and filters it [AUDIT-2]', async ({ browser, product }) => {
  const organizer = await readyOrganizer(product);
  await putOnSale(product, organizer, { title });
  const page = await browserOf(organizer, browser, product);
  await openProfile(page);
  await page.getByRole('link', { name: text.title, exact: true }).click();

  const table = page.getByRole('table', { name: text.caption });
  await expect(table).toContainText(auditMessage('create-event', {}));
  await expect(table).toContainText(organizer.email);
  await expectAccessible(page);

  await page.getByLabel(text.action, { exact: true }).selectOption('log-in');
  await expect(table).not.toContainText(auditMessage('create-event', {}));
  await page.getByLabel(text.action, { exact: true }).selectOption('cancel-event');
  await expect(page.getByText(text.none)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel(text.action, { exact: true }).selectOption('');
  await expect(table).toContainText(auditMessage('create-event', {}));
  await expectAccessible(page);
  await expectFits(page);

  await page.getByLabel(text.event, { exact: true }).selectOption({ label: title });
  await expect(table).toContainText(auditMessage('create-event', {}));
  await expect(table).not.toContainText(auditMessage('log-in', {}));
  await page.getByLabel(text.event, { exact: true }).selectOption('');
  await page.getByLabel(text.member, { exact: true }).selectOption({ label: organizer.email });
  await expect(table).toContainText(auditMessage('log-in', {}));
  await page.getByLabel(text.until, { exact: true }).fill('2020-01-01');
  await expect(page.getByText(text.none)).toBeVisible();
  await page.getByLabel(text.until, { exact: true }).fill('');
  await page.getByLabel(text.from, { exact: true }).fill('2020-01-01');
  await expect(table).toContainText(auditMessage('create-event', {}));
});

test('operators see all organizations, and download the log [AUDIT-2]', async ({ browser, product, db }) => {
  const [one, operator] = [await readyOrganizer(product), await readyOrganizer(product)];
  await putOnSale(product, one);
  await appointAdmin({ db }, { email: operator.email, isAdmin: true });
  await logInAgain(operator);
  const page = await browserOf(operator, browser, product);
  await page.goto('/dashboard/audit');

  await expect(page.getByRole('table', { name: text.caption })).toContainText(one.email);
  await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: auditPage.download }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('audit-log.csv');
});
