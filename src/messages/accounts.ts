/** Accounts: sign-up, login, onboarding and the affiliate program. */
import type { CodeDenial } from '#domain/affiliate.ts';

export const registerErrors = { 'email-taken': 'An account with this email already exists.' };
export const registered =
  'Redirecting... If you are not redirected finish setting up your account on the profile page.';

export const wrongLogin = 'Invalid email or password.';

export const loggedOut = "You're logged out.";

export const emailVerified = 'Your email is verified.';
export const verifyErrors = {
  'unknown-token': "This link has expired. Log in and we'll send a new one.",
};

export const verificationSent = 'We sent you a new link. Check your inbox.';
export const alreadyVerified = 'Your email is already verified.';

/** The same for every address, so the reply doesn't reveal who has an account. */
export const resetLinkSent = "If there's an account for that email, a reset link is on its way.";

export const passwordReset = 'Password has been successfully reset.';
export const resetErrors = { 'unknown-token': 'This link has expired. Please request a new one.' };

export const changeLinkSent = 'Click the link we sent to your new address. Nothing changes until you do.';
export const emailChanged = 'Your email has been changed. Please log in with the new one.';
export const emailChangeUndone =
  "We've restored your old email and logged out every device. Please choose a new password.";

export const onboardingIncomplete = 'You need to complete onboarding to access all features.';

export const accountInfoSaved = 'Info Updated';

export const codeGenerated = 'Code Generated';

export const codeErrors: Record<CodeDenial, string> = {
  'unused-code': "Your last code hasn't been used yet.",
  'too-few-tokens': 'You have no tokens left. You earn one each time an event pays out.',
};
