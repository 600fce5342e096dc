/** The team, its dialogs, an invitation, and the profile of a member. */
import { teamPage } from '#messages/accounts/team.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { newMember, sendInvitation } from '#tests/support/team.ts';
import { expect, openPage, test } from '../journeys/journey.ts';
import {
  browserOf,
  dialogOf,
  openProfile,
  press,
  putOnSale,
  readyOrganizer,
  verifiedAccount,
} from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

for (const variant of VARIANTS) {
  test(`the team, ${variant.name}`, async ({ browser, product }) => {
    const owner = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, owner);
    await putOnSale(product, owner, { title: 'Second evening' });
    await newMember(siteOf(product), owner, 'admin');
    await newMember(siteOf(product), owner, 'check-in', [eventId]);
    const invited = await verifiedAccount(product);
    const token = await sendInvitation(siteOf(product), owner, {
      email: invited.email,
      role: 'viewer',
      onlyEventIds: [eventId],
    });
    const page = await browserOf(owner, browser, product, settingsOf(variant));
    await page.goto('/organization/team');
    await expect(page.getByRole('table', { name: teamPage.invitationsCaption })).toBeVisible();
    await take(page, `${variant.name}/team`);
    await press(page, teamPage.invite);
    await dialogOf(page, teamPage.inviteTitle).getByLabel(teamPage.chosenEvents).check();
    await take(page, `${variant.name}/team-invite`);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Remove / })
      .last()
      .click();
    await take(page, `${variant.name}/team-remove`);
    await page.context().close();

    const anonymous = await openPage(browser, product, settingsOf(variant));
    await anonymous.goto(`/invitation?token=${token}`);
    await expect(anonymous.getByRole('button', { name: 'Log in' })).toBeVisible();
    await take(anonymous, `${variant.name}/invitation-logged-out`);
    await anonymous.context().close();
    const theirs = await browserOf(invited, browser, product, settingsOf(variant));
    await theirs.goto(`/invitation?token=${token}`);
    await expect(theirs.getByRole('button', { name: 'Accept the invitation' })).toBeVisible();
    await take(theirs, `${variant.name}/invitation`);
    await press(theirs, 'Accept the invitation');
    await theirs.waitForURL('**/profile');
    await openProfile(theirs);
    await take(theirs, `${variant.name}/profile-viewer`);
    await theirs.context().close();
  });
}
