import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/payouts.ts';
import { automaticPayouts, payoutAccountConfirmed } from '#messages/payouts.ts';
import { authenticate } from '#server/accounts/authenticate.ts';
import { confirmPayoutAccount, readPayoutAccountHolder, setAutomaticPayouts } from '#server/accounts/payout-account.ts';
import { createAccountLink, createLoginLink, renewAccountLink } from '#server/accounts/payout-account-links.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cookiesOf } from '#server/platform/http/cookies.ts';
import { mount } from '#server/platform/http/mount.ts';
import { requestPayout } from './request-payout.ts';

export function payoutRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.createAccountLink, (_input, { organizer }) => createAccountLink(deps, organizer));
  mount(app, contract.requestPayout, ({ eventId }, { organizer }) => requestPayout(deps, organizer, eventId));
  mount(app, contract.payoutAccountHolder, (_input, { organizer }) => readPayoutAccountHolder(deps, organizer));
  mount(app, contract.confirmPayoutAccount, async (_input, { organizer }) => {
    await confirmPayoutAccount(deps, organizer);
    return { msg: payoutAccountConfirmed };
  });
  mount(app, contract.setAutomaticPayouts, async ({ isOn }, { organizer }) => {
    await setAutomaticPayouts(deps, organizer, isOn);
    return { msg: isOn ? automaticPayouts.turnedOn : automaticPayouts.turnedOff };
  });
  mount(app, contract.createLoginLink, (_input, { organizer }) => createLoginLink(deps, organizer));

  app.get(contract.onboardingRefreshPath, async (request, reply) => {
    const cookies = cookiesOf(request, reply, deps.publicUrl.startsWith('https:'));
    const organizer = await authenticate(deps, cookies.credentials());
    // Anyone can open this URL, but only the organizer gets a link to their account.
    if (!organizer) return reply.redirect('/login', 303);
    // A redirect can't ask for the password; the button on the profile does.
    if (!organizer.isReauthenticated) return reply.redirect('/profile', 303);
    const renewed = await renewAccountLink(deps, organizer);
    return reply.redirect(renewed?.url ?? '/profile', 303);
  });
}
