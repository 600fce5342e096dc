/** Accounts: sign-up, login, onboarding and the affiliate program. */
import { PASSWORD_MIN } from '#domain/limits.ts';
import type { Action } from '#domain/roles.ts';
import { linkExpired } from './pages.ts';

export const registered =
  'Redirecting... If you are not redirected finish setting up your account on the profile page.';

export const passwordHint = `At least ${PASSWORD_MIN} characters. Three or four random words are strong and easy to remember.`;

export const loggedOut = "You're logged out.";

export const emailVerified = 'Your email is verified.';

export const verificationSent = 'We sent you a new link. Check your inbox.';
export const alreadyVerified = 'Your email is already verified.';

/** The same for every address, so the reply doesn't reveal who has an account. */
export const resetLinkSent = "If there's an account for that email, a reset link is on its way.";

export const passwordReset = 'Password has been successfully reset.';

export const changeLinkSent = 'Click the link we sent to your new address. Nothing changes until you do.';
export const emailChanged = 'Your email has been changed. Please log in with the new one.';
export const emailChangeUndone =
  "We've restored your old email and logged out every device. Please choose a new password.";

export const accountInfoSaved = 'Info Updated';

export const codeGenerated = 'Code Generated';

export const onboardingIncomplete = 'You need to complete onboarding to access all features.';

export const accountErrors = {
  'affiliate-code.too-few-tokens': 'You have no tokens left. You earn one each time an event pays out.',
  'affiliate-code.unused-code': "Your last code hasn't been used yet.",
  'email-verification.unknown-token': "This link has expired. Log in and we'll send a new one.",
  'login.wrong': 'Invalid email or password.',
  'onboarding.incomplete': onboardingIncomplete,
  'organization.forbidden': (_: { action: Action }) => "Your role in this organization doesn't allow this.",
  'password-reset.unknown-token': linkExpired,
  'register.email-taken': 'An account with this email already exists.',
  'session.missing': 'Please log in.',
};
