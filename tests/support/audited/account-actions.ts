/** How each audited action on accounts, teams and payout accounts comes about. */
import * as accounts from '#contract/app/accounts.ts';
import { generateCode } from '#contract/app/affiliates.ts';
import { confirmApp, renewRecoveryCodes, requireFactor, setUpApp } from '#contract/app/factors.ts';
import { confirmPayoutAccount, createAccountLink, setAutomaticPayouts } from '#contract/app/payouts.ts';
import { deleteAccount, deleteOrganization, myRecordsFile } from '#contract/app/privacy.ts';
import { apiKeys, revokeApiKey } from '#contract/app/programs/api-keys.ts';
import { editWebhookEndpoint, endWebhookEndpoint, rotateWebhookSecret } from '#contract/app/programs/webhooks.ts';
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import { changePassword, endOtherSessions } from '#contract/app/security.ts';
import * as team from '#contract/app/team.ts';
import { stopRestrictedSales } from '#server/accounts/payout-account.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { newApiKey } from '#tests/support/api-keys.ts';
import { codeOf } from '#tests/support/authenticator-app.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { accountBecomes } from '#tests/support/payout-account.ts';
import { accountInfo, expectOk, linkTo, newOrganizer, PASSWORD, verifiedOrganizer } from '#tests/support/people.ts';
import { newMember, sendInvitation } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';
import { failedLogin } from './failed-login.ts';
import type { Stage } from './occasion.ts';

/** Nothing listens there. */
const LOCAL = { url: 'http://127.0.0.1:9/hooks' };
const NEW_PASSWORD = 'a better one than before';

export function accountActions({ app, newPerson, personOf, owner, by, byNobody }: Stage) {
  const member = async (role: 'viewer' | 'editor' = 'viewer') => {
    const { email, visitor } = await newMember(app, owner, role);
    return { email, visitor, userId: (await actorOf(app.db, email)).userId };
  };
  return {
    async 'log-in'() {
      const person = await newPerson();
      return by(person, () => app.call(accounts.login, { email: person.email, password: PASSWORD }));
    },
    async 'failed-logins'() {
      const { email, organization } = await newPerson();
      return byNobody(organization, await failedLogin(app, email));
    },
    async reauthenticate() {
      return by(owner, () => owner.visitor.call(accounts.reauthenticate, { password: PASSWORD }));
    },
    async 'end-session'() {
      return by(owner, () => owner.visitor.call(endOtherSessions, {}));
    },
    async 'change-password'() {
      const person = await newPerson();
      const passwords = { password: PASSWORD, newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
      return by(person, () => person.visitor.call(changePassword, passwords));
    },
    async 'change-factors'() {
      const person = await newPerson();
      return by(person, () => addFactor(app, person.visitor));
    },
    async 'renew-recovery-codes'() {
      const person = await newPerson();
      await addFactor(app, person.visitor);
      return by(person, () => person.visitor.call(renewRecoveryCodes, {}));
    },
    async 'require-factor'() {
      const person = await newPerson();
      return by(person, () => person.visitor.call(requireFactor, { isRequired: true }));
    },
    async 'change-email'() {
      const { visitor, organization, email: old } = await newPerson();
      const email = `new-${old}`;
      expectOk(await visitor.call(accounts.changeEmail, { newEmail: email }));
      const token = await linkTo(app, email, /confirm-email-change\?token=([\w-]+)/);
      return by({ email, organization }, () => app.call(accounts.confirmEmailChange, { token }));
    },
    async 'undo-email-change'() {
      const person = await newPerson();
      expectOk(await person.visitor.call(accounts.changeEmail, { newEmail: `stolen-${person.email}` }));
      const confirm = await linkTo(app, `stolen-${person.email}`, /confirm-email-change\?token=([\w-]+)/);
      expectOk(await app.call(accounts.confirmEmailChange, { token: confirm }));
      const token = await linkTo(app, person.email, /undo-email-change\?token=([\w-]+)/);
      return by(person, () => app.call(accounts.undoEmailChange, { token }));
    },
    async 'remove-unproven-set-up'() {
      const { email, organization } = await personOf(await newOrganizer(app));
      // Only an imported account was set up before its address was proved.
      await app.db.updateTable('organizations').set({ name: 'Stray' }).where('id', '=', organization).execute();
      const token = await linkTo(app, email, /verify-email\?token=([\w-]+)/);
      const occasion = byNobody(null, async () => {
        expectOk(await app.call(accounts.verifyEmail, { token }));
        // In the log of the organization that replaces it.
        occasion.organization = (await actorOf(app.db, email)).organizationId;
      });
      return occasion;
    },
    async 'change-account-info'() {
      return by(owner, () => owner.visitor.call(accounts.saveAccountInfo, { ...accountInfo, lastName: 'Hooper' }));
    },
    async 'edit-organization-page'() {
      return by(owner, () => owner.visitor.call(editOrganizationPage, { slug: 'audited-page' }));
    },
    async 'change-tax-id'() {
      const changed = { ...accountInfo, companyTIN: '98-7654321' };
      return by(owner, () => owner.visitor.call(accounts.saveAccountInfo, changed));
    },
    async 'invite-member'() {
      const invited = { email: 'new@example.com', role: 'viewer' as const, onlyEventIds: null };
      return by(owner, () => owner.visitor.call(team.invite, invited));
    },
    async 'withdraw-invitation'() {
      const email = 'withdrawn@example.com';
      await sendInvitation(app, owner, { email, role: 'viewer' });
      const { invitations } = expectOk(await owner.visitor.call(team.team, {}));
      const invitationId = invitations.find((invitation) => invitation.email === email)?.id ?? '';
      return by(owner, () => owner.visitor.call(team.withdrawInvitation, { invitationId }));
    },
    async 'join-organization'() {
      const { email, visitor } = await newPerson();
      const token = await sendInvitation(app, owner, { email, role: 'viewer' });
      return by({ ...owner, email }, () => visitor.call(team.acceptInvitation, { token }));
    },
    async 'change-role'() {
      const { userId } = await member();
      const change = { userId, role: 'editor' as const, onlyEventIds: null };
      return by(owner, () => owner.visitor.call(team.changeRole, change));
    },
    async 'create-api-key'() {
      const person = await newPerson();
      return by(person, () => newApiKey(person.visitor));
    },
    async 'revoke-api-key'() {
      const person = await newPerson();
      await newApiKey(person.visitor);
      const [key] = expectOk(await person.visitor.call(apiKeys, {})).keys;
      return by(person, () => person.visitor.call(revokeApiKey, { keyId: key?.keyId ?? '' }));
    },
    async 'create-webhook'() {
      const person = await newPerson();
      return by(person, () => newWebhook(person.visitor, LOCAL));
    },
    async 'edit-webhook'() {
      const person = await newPerson();
      const { endpointId } = await newWebhook(person.visitor, LOCAL);
      const change = { endpointId, types: ['event.updated' as const], onlyEventIds: null };
      return by(person, () => person.visitor.call(editWebhookEndpoint, change));
    },
    async 'rotate-webhook-secret'() {
      const person = await newPerson();
      const { endpointId } = await newWebhook(person.visitor, LOCAL);
      return by(person, () => person.visitor.call(rotateWebhookSecret, { endpointId }));
    },
    async 'end-webhook'() {
      const person = await newPerson();
      const { endpointId } = await newWebhook(person.visitor, LOCAL);
      return by(person, () => person.visitor.call(endWebhookEndpoint, { endpointId }));
    },
    async 'remove-member'() {
      const { userId } = await member();
      return by(owner, () => owner.visitor.call(team.removeMember, { userId }));
    },
    async 'leave-organization'() {
      const { email, visitor } = await member();
      return by({ ...owner, email }, () => visitor.call(team.leaveOrganization, {}));
    },
    async 'open-payout-account'() {
      const person = await personOf(await verifiedOrganizer(app));
      expectOk(await person.visitor.call(accounts.saveAccountInfo, accountInfo));
      return by(person, () => person.visitor.call(createAccountLink, {}));
    },
    async 'change-automatic-payouts'() {
      return by(owner, () => owner.visitor.call(setAutomaticPayouts, { isOn: true }));
    },
    async 'confirm-payout-account'() {
      return by(owner, () => owner.visitor.call(confirmPayoutAccount, {}));
    },
    async 'restrict-payout-account'() {
      const { organization } = await newPerson();
      return byNobody(organization, () => accountBecomes(app, organization, 'restricted'));
    },
    async 'stop-paid-sales'() {
      const { organization } = await newPerson();
      await accountBecomes(app, organization, 'restricted');
      const restrictedAt = new Date(app.now().getTime() - 72 * 60 * 60 * 1000);
      await app.db
        .updateTable('payoutAccounts')
        .set({ restrictedAt })
        .where('organizationId', '=', organization)
        .execute();
      return byNobody(organization, () => stopRestrictedSales(app.deps));
    },
    async 'close-payout-account'() {
      const { organization } = await newPerson();
      return byNobody(organization, () => accountBecomes(app, organization, 'closed'));
    },
    async 'restore-payout-account'() {
      const { organization } = await newPerson();
      await accountBecomes(app, organization, 'restricted');
      return byNobody(organization, () => accountBecomes(app, organization, 'active'));
    },
    async 'generate-affiliate-code'() {
      return by(owner, () => owner.visitor.call(generateCode, {}));
    },
    async 'export-records'() {
      return by(owner, () => owner.visitor.fetch(myRecordsFile.path));
    },
    async 'delete-organization'() {
      const person = await newPerson();
      return by(person, () => person.visitor.call(deleteOrganization, {}));
    },
    async 'delete-account'() {
      const { visitor, organization } = await newPerson();
      // The log keeps the person's id, and the address that it shows is deleted with the account.
      return byNobody(organization, () => visitor.call(deleteAccount, { password: PASSWORD }));
    },
  };
}

/** The code of the phone is right, so this adds an authenticator app. */
async function addFactor(app: TestApp, visitor: Visitor) {
  const { key } = expectOk(await visitor.call(setUpApp, {}));
  const code = codeOf(app, key);
  return visitor.call(confirmApp, { code });
}
