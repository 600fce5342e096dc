/** An operator edits the plans, and gives an organization one. */
import { formText } from '#messages/forms.ts';
import { reserveTexts, planTexts as text } from '#messages/records/plans.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, expectAccessible, expectFits, test } from './journey.ts';
import { dialogOf, press } from './organizer-page.ts';
import { logIn } from './organizer-steps.ts';

test('an operator creates a plan, gives it to an organization, and retires it [PLAN-1]', async ({
  page,
  product,
  db,
}) => {
  const site = siteOf(product);
  const [owner, operator] = [await newOrganizer(site), await newOrganizer(site)];
  await appointAdmin({ db }, { email: operator.email, isAdmin: true });
  await logIn(page, operator.email);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: text.title, exact: true }).click();

  const rows = page.getByRole('table', { name: text.caption }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Standard');
  await expect(rows.nth(1)).toContainText('1.8% + $0.50 from 500 paid tickets');
  await press(page, text.add);
  const dialog = dialogOf(page, text.add);
  await dialog.getByLabel(text.name).fill('Partner');
  await dialog.getByLabel(text.form.standardPercent).fill('100');
  await press(page, text.form.save);
  await expect(dialog.getByText(formText({ field: '', reason: 'plan-percent.invalid' }))).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel(text.form.standardPercent).fill('1.85 %');
  await press(page, text.form.save);
  await expect(dialog).toBeHidden();
  const partner = rows.filter({ hasText: 'Partner' });
  await expect(partner).toContainText('1.85% + $0.75');
  await expect(partner).toContainText(text.notPublic);

  const form = page.getByRole('region', { name: text.set.title });
  await form.getByLabel(text.set.organization).fill(owner.email);
  await form.getByLabel(text.set.plan).selectOption('Partner');
  await press(page, text.set.submit);
  await expect(page.getByText(text.given)).toBeVisible();
  await expect(partner.getByRole('cell').nth(5)).toHaveText('1');
  const reserve = page.getByRole('region', { name: reserveTexts.title });
  await reserve.getByLabel(reserveTexts.organization).fill(owner.email);
  await reserve.getByLabel(reserveTexts.percent).fill('91');
  await press(page, reserveTexts.submit);
  await expect(reserve.getByText(formText({ field: '', reason: 'reserve-percent.invalid' }))).toBeVisible();
  await reserve.getByLabel(reserveTexts.percent).fill('10');
  await press(page, reserveTexts.submit);
  await expect(page.getByText(reserveTexts.saved)).toBeVisible();
  await page.getByRole('button', { name: text.retireNamed('Partner') }).click();
  await expect(partner).toContainText(text.retired);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await expectFits(page);
});
