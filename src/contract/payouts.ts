/** The organizer's account with the card company, where payouts arrive. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

const redirect = z.object({ url: z.string() });

export const createAccountLink = endpoint({
  method: 'POST',
  path: '/api/protected/create-account-link',
  access: 'organizer',
  input: z.object({}),
  reply: redirect,
});

export const createLoginLink = endpoint({
  method: 'POST',
  path: '/api/protected/create-login-link',
  access: 'organizer',
  input: z.object({}),
  reply: redirect,
});

/** Page loads, not calls: where the card company sends the organizer after onboarding, and for a fresh link to it. */
export const onboardingReturnPath = '/profile?payouts=returned';
export const onboardingRefreshPath = '/api/protected/payout-onboarding';

export const payoutRefusals = {
  'account-information-missing': 'Please complete your account information first.',
  'no-payout-account': 'Please set up your payout account first.',
};
