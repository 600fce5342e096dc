/** A team: inviting, accepting, what a role sees, changing it, removing. */
import { cancelEvent } from '#contract/app/events.ts';
import { acceptInvitation } from '#contract/app/team.ts';
import { invitationPage, organizationSwitch, roleNames, teamDone, teamPage } from '#messages/accounts/team.ts';
import { reauthentication } from '#messages/accounts.ts';
import { errorText } from '#messages/errors.ts';
import { organizationDeleted, organizationDeletion } from '#messages/privacy.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { expectOk, PASSWORD } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { sendInvitation } from '#tests/support/team.ts';
import { emailTo, expect, expectAccessible, expectFits, linkIn, test } from './journey.ts';
import * as keyboard from './keyboard.ts';
import {
  browserOf,
  dialogOf,
  expectToasts,
  fillIn,
  newWindow,
  openProfile,
  press,
  putOnSale,
  readyOrganizer,
  verifiedAccount,
} from './organizer-page.ts';

const title = 'Team night';

test('an owner invites with the keyboard, and the invited person joins [ORG-3 ORG-2]', async ({ browser, product }) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner, { title });
  const invited = await verifiedAccount(product);
  const page = await browserOf(owner, browser, product);
  await openProfile(page);
  await page.getByRole('link', { name: teamPage.title, exact: true }).click();
  await expect(page.getByText(teamPage.onlyYou)).toBeVisible();
  await expectAccessible(page);

  await keyboard.press(page, page.getByRole('button', { name: teamPage.invite, exact: true }));
  const dialog = dialogOf(page, teamPage.inviteTitle);
  await keyboard.type(page, dialog.getByLabel(teamPage.email), invited.email);
  await dialog.getByLabel(teamPage.role).selectOption('viewer');
  await dialog.getByLabel(teamPage.chosenEvents).press('Space');
  await keyboard.press(page, dialog.getByRole('button', { name: teamPage.send }));
  await expectToasts(page, [teamPage.chooseEvents]);
  await dialog.getByLabel(title).press('Space');
  await expectAccessible(page);
  await keyboard.press(page, dialog.getByRole('button', { name: teamPage.send }));
  await expectToasts(page, [teamDone.invited]);
  await expect(page.getByRole('table', { name: teamPage.invitationsCaption })).toContainText(invited.email);
  await expectAccessible(page);

  const theirs = await newWindow(browser, product);
  await theirs.setViewportSize({ width: 390, height: 844 });
  await theirs.goto(linkIn(await emailTo(product, invited.email, /invited/), '/invitation'));
  await expect(theirs.getByText(invitationPage.role('viewer', false))).toBeVisible();
  await expectAccessible(theirs);
  await press(theirs, invitationPage.logIn);
  await fillIn(theirs.locator('main form'), { email: invited.email, password: PASSWORD });
  await press(theirs, 'Login');
  await press(theirs, invitationPage.accept);
  await theirs.waitForURL('**/profile');
  await expect(theirs.getByRole('heading', { name: title })).toBeVisible();
  for (const hidden of ['Create Event', 'Edit Event', 'Request Payout', 'Show Guest List', 'Connect Stripe'])
    await expect(theirs.getByRole('button', { name: hidden })).toHaveCount(0);
  await expectAccessible(theirs);
  await expectFits(theirs);

  await theirs.getByLabel(organizationSwitch.label).selectOption({ label: organizationSwitch.unnamed });
  await expect(theirs.getByRole('heading', { name: title })).toHaveCount(0);
});

test('a member of two organizations switches in the navigation of every screen [ORG-2]', async ({
  browser,
  product,
}) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner, { title });
  const member = await verifiedAccount(product);
  const token = await sendInvitation(siteOf(product), owner, { email: member.email, role: 'admin' });
  expectOk(await member.visitor.call(acceptInvitation, { token }));
  const page = await browserOf(member, browser, product);
  const choice = page.getByRole('dialog', { name: 'Navigation' }).getByLabel(organizationSwitch.label);
  const openNavigation = () => keyboard.press(page, page.getByRole('button', { name: 'Open navigation' }));

  for (const [path, theme] of [
    ['/organization/security', 'light'],
    ['/organization/team', 'dark'],
    ['/profile', 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(path);
      await openNavigation();
      await expect(choice.locator('option:checked')).toHaveText('Cooperage Nights');
      await expectAccessible(page);
    }
  }
  await choice.selectOption({ label: organizationSwitch.unnamed });
  await page.waitForURL('**/profile');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('heading', { name: title })).toHaveCount(0);

  const alone = await browserOf(owner, browser, product);
  await openProfile(alone);
  await alone.getByRole('button', { name: 'Open navigation' }).press('Enter');
  await expect(alone.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
  await expect(alone.getByLabel(organizationSwitch.label)).toHaveCount(0);
});

test('a link for another address, and one that is gone, say so [ORG-3]', async ({ browser, product }) => {
  const owner = await readyOrganizer(product);
  const [invited, other] = [await verifiedAccount(product), await verifiedAccount(product)];
  const token = await sendInvitation(siteOf(product), owner, { email: invited.email, role: 'editor' });
  const page = await browserOf(other, browser, product);

  await page.goto(`/invitation?token=${token}`);
  await press(page, invitationPage.accept);
  await expect(page.getByText(`This invitation is for ${invited.email}.`)).toBeVisible();
  await page.goto('/invitation?token=gone');
  await expect(page.getByRole('button', { name: invitationPage.accept })).toHaveCount(0);
  await expectAccessible(page);
});

test('an owner changes a role, removes the member, and their page asks for a login [ORG-4]', async ({
  browser,
  product,
}) => {
  const owner = await readyOrganizer(product);
  await putOnSale(product, owner, { title });
  const member = await verifiedAccount(product);
  const token = await sendInvitation(siteOf(product), owner, { email: member.email, role: 'viewer' });
  const theirs = await browserOf(member, browser, product);
  await theirs.goto(`/invitation?token=${token}`);
  await press(theirs, invitationPage.accept);
  await expect(theirs.getByRole('heading', { name: title })).toBeVisible();

  const page = await browserOf(owner, browser, product);
  await page.goto('/organization/team');
  await press(page, teamPage.changeLabel(member.email));
  const dialog = dialogOf(page, teamPage.changeTitle(member.email));
  await dialog.getByLabel(teamPage.role).selectOption('editor');
  await expectAccessible(page);
  await press(dialog, teamPage.save);
  await expectToasts(page, [teamDone.roleChanged]);
  await expect(page.getByRole('row', { name: member.email })).toContainText(roleNames.editor);
  await openProfile(theirs);
  await expect(theirs.getByRole('button', { name: 'Edit Event' })).toBeVisible();

  await press(page, teamPage.removeLabel(member.email));
  await expect(dialogOf(page, teamPage.removeTitle)).toBeVisible();
  await expectAccessible(page);
  await press(dialogOf(page, teamPage.removeTitle), teamPage.confirmRemove);
  await expectToasts(page, [teamDone.removed]);
  await expect(page.getByText(teamPage.onlyYou)).toBeVisible();
  await theirs.reload();
  await theirs.waitForURL('**/login');
});

test('an owner deletes an organization with the keyboard, and keeps the account [ORG-5]', async ({
  browser,
  product,
  db,
}) => {
  const owner = await readyOrganizer(product);
  const onSale = await putOnSale(product, owner, { title });
  const page = await browserOf(owner, browser, product);
  await page.setViewportSize({ width: 320, height: 720 });
  await page.goto('/organization/team');
  const remove = page.getByRole('button', { name: organizationDeletion.remove });
  const dialog = dialogOf(page, organizationDeletion.remove);
  await keyboard.press(page, remove);
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await keyboard.press(page, dialog.getByRole('button', { name: organizationDeletion.confirm }));
  await expectToasts(page, [errorText('deletion.event-open')]);
  await keyboard.press(page, dialog.getByRole('button', { name: organizationDeletion.keep }));
  await expect(remove).toBeFocused();

  expectOk(await owner.visitor.call(cancelEvent, { eventId: onSale.eventId }));
  const { id: userId } = await storedAccount(db, owner.email);
  await db
    .updateTable('sessions')
    .set({ reauthenticatedAt: new Date(0) })
    .where('userId', '=', userId)
    .execute();
  await keyboard.press(page, remove);
  await keyboard.press(page, dialog.getByRole('button', { name: organizationDeletion.confirm }));
  const proof = dialogOf(page, reauthentication.title);
  await keyboard.type(page, proof.getByLabel('Password', { exact: true }), PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/profile');
  await expectToasts(page, [organizationDeleted]);
  await expect(page.locator('#account').getByText(owner.email)).toBeVisible();
  await expect(page.getByRole('heading', { name: title })).toHaveCount(0);
});
