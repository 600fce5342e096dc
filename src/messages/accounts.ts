/** Accounts: sign-up, login, onboarding and the affiliate program. */

import type { Action } from '#domain/accounts/roles.ts';
import { PASSWORD_MIN } from '#domain/limits.ts';
import { factorErrors } from './accounts/factors.ts';
import { teamErrors } from './accounts/team.ts';
import { linkExpired } from './pages.ts';
import { passwordCommon } from './security.ts';

export const registered =
  'Redirecting... If you are not redirected finish setting up your account on the profile page.';

export const passwordHint = `At least ${PASSWORD_MIN} characters. Three or four random words are strong and easy to remember.`;

export const loggedOut = "You're logged out.";

export const emailVerified = 'Your email is verified.';

export const verificationSent = 'We sent you a link. Check your inbox.';
export const alreadyVerified = 'Your email is already verified.';

/** The same for every address, so the reply doesn't reveal who has an account. */
export const resetLinkSent = "If there's an account for that email, a reset link is on its way.";

export const passwordReset = 'Password has been successfully reset.';

export const changeLinkSent = 'Click the link we sent to your new address. Nothing changes until you do.';
export const emailChanged = 'Your email has been changed. Please log in with the new one.';
export const emailChangeUndone =
  "We've kept your email, logged out every device and turned off the password. Check your inbox for a link to choose a new one.";

/** Pages behind emailed links: opening one changes nothing, the button does. */
export const emailChangePages = {
  confirm: {
    title: 'Confirm your new email',
    what: 'From now on you log in with this address. Every device is logged out.',
    button: 'Use this address',
  },
  undo: {
    title: 'Keep your email',
    what: "Didn't ask for a new address? This keeps your old one, logs out every device and turns off the current password, since someone else may know it. We'll email you a link to choose a new one.",
    button: 'Keep my email',
  },
  failed: "That didn't work. Please try again.",
};

export const accountInfoSaved = 'Info Updated';

export const codeGenerated = 'Code Generated';

export const onboardingIncomplete = 'You need to complete onboarding to access all features.';
/** What follows it where an event is created. */
export const beforeOnboarding = {
  freeOnly: 'Until then, you can create events with free tickets.',
  draftOnly: "You can start your event now; we'll save the draft on this device.",
};

export const reauthentication = {
  title: "Confirm that it's you",
  why: "You logged in a while ago. Enter your password and we'll continue where you left off.",
  confirm: 'Continue',
  usePasskey: 'Use a passkey instead',
  code: 'Or a code from your authenticator app, or a recovery code',
  confirmCode: 'Continue with the code',
  cancel: 'Cancel',
  failed: "We couldn't check that. Please try again.",
};

const ASK_AN_OWNER = 'Ask an owner of your organization.';

const deniedActions: Record<Action, string> = {
  'event.view': 'see events',
  'event.create': 'create events',
  'event.edit': 'edit events',
  'event-tax.edit': 'change the sales tax in prices',
  'event.cancel': 'cancel events',
  'sales.view': 'see sales',
  'guest.view': 'see guests',
  'guest.export': 'export guests',
  'ticket.resend': 'resend tickets',
  'ticket.refund': 'refund tickets',
  'order.correct-email': 'correct email addresses of orders',
  'comp.manage': 'add guests at no charge',
  'door-note.edit': 'write door notes',
  'check-in.manage': 'manage check-in',
  'check-in.scan': 'check in guests',
  'dispute.answer': 'answer disputes',
  'payout.view': 'see payouts',
  'payout.request': 'request payouts',
  'audit.view': 'see the activity',
  'api-key.view': 'see API keys',
  'api-key.create': 'create API keys',
  'api-key.revoke': 'revoke API keys',
  'webhook.view': 'see webhooks',
  'webhook.create': 'create webhooks',
  'webhook.change': 'change webhooks',
  'organization.delete': 'delete the organization',
  'affiliate-code.generate': 'generate codes',
  'member.view': 'see members',
  'member.manage': 'manage members',
  'owner.manage': 'change who is an owner',
  'organization.identify': 'change the account information',
  'organization-page.edit': "change the organization's page",
  'tax-id.change': 'change the tax ID',
  'organization.require-factor': 'require a second factor',
  'organization.export': "export the organization's data",
  'payout-account.manage': 'manage the payout account',
};

export const accountErrors = {
  'affiliate-code.too-few-tokens': 'You have no tokens left. You earn one each time an event pays out.',
  'affiliate-code.unused-code': "Your last code hasn't been used yet.",
  ...factorErrors,
  'auth.email-unverified': 'Verify your email address first.',
  'auth.password-common': passwordCommon,
  'auth.reauthentication-required': "Confirm that it's you to continue.",
  'auth.role-denied': ({ action }: { action: Action }) => `Your role can't ${deniedActions[action]}. ${ASK_AN_OWNER}`,
  'email-verification.unknown-token': "This link has expired. Log in and we'll send a new one.",
  'email-change.unknown-token': "This link has expired, or the address isn't available any more.",
  'login.wrong': 'Invalid email or password.',
  'onboarding.incomplete': onboardingIncomplete,
  'password-reset.unknown-token': linkExpired,
  'password.wrong': "That's not your password.",
  'register.email-taken': 'An account with this email already exists.',
  'session.missing': 'Please log in.',
  'session.not-found': 'That device is logged out already.',
  ...teamErrors,
};
