/** Second factors: setting them up, and logging in with them. */
import { PASSKEYS_MAX, RECOVERY_CODES } from '#domain/accounts/factors.ts';
import { plural } from '../format.ts';

export const factorErrors = {
  'auth.challenge-expired': 'This login took too long. Please log in again.',
  'auth.factor-invalid': "That code isn't right.",
  'auth.factor-refused': "That code or passkey isn't right.",
  'auth.set-up-expired': 'This took too long. Please start again.',
  'auth.factor-required': 'Set up a second factor first.',
  'auth.factor-unknown': 'That second factor is removed already.',
  'auth.last-factor': 'You need a second factor. Add another one before you remove this one.',
  'auth.too-many-passkeys': `You can have ${PASSKEYS_MAX} passkeys at most.`,
};

export const factorLogin = {
  title: 'Second step',
  why: 'Enter the code from your authenticator app, or one of your recovery codes.',
  emailWhy: 'We emailed you a code, because many wrong passwords were tried on your account.',
  recoveryWhy: 'No passkey at hand? Enter a recovery code.',
  code: 'Code',
  recoveryCode: 'Recovery code',
  submit: 'Log in',
  usePasskey: 'Use a passkey',
  withPasskey: 'Log in with a passkey',
  failed: 'Login failed.',
  passkeyFailed: "Your passkey wasn't accepted. Please try again.",
  lost: 'Lost your phone? A recovery code works, too.',
  back: 'Start over',
};

export const factorOffer = {
  title: 'Your account has no second factor.',
  why: 'You can see and refund the orders of every organization. Once real money moves here, you need one.',
  setUp: 'Set one up',
};

export const factorList = {
  title: 'Second factor',
  why: 'With a second factor, a stolen password is not enough to log in.',
  required: 'Set up a second factor to go on.',
  none: 'You log in with your password only.',
  caption: 'Your second factors',
  name: 'Name',
  kinds: { totp: 'Authenticator app', passkey: 'Passkey' },
  added: 'Added',
  lastUsed: 'Last used',
  never: 'Never',
  actions: 'Remove',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removed: 'Removed. Every other device is logged out.',
  addPasskey: 'Add a passkey',
  addApp: 'Add an authenticator app',
  replaceApp: 'Replace the authenticator app',
  codesLeft: (count: number) => plural(count, { one: '# recovery code left.', other: '# recovery codes left.' }),
  renewCodes: 'Make new recovery codes',
  requireOfAll: 'Require a second factor of every member',
  noLongerRequire: 'Stop requiring a second factor',
  requirement: 'Members without one see nothing but its set-up.',
  nowRequired: 'Every member needs a second factor now.',
  nowOptional: 'Members may log in with their password only.',
  failed: "We couldn't change your second factors. Please try again.",
  notLoaded: "We couldn't load your second factors.",
  again: 'Try again',
  passkeysUnsupported: "This browser can't use passkeys.",
};

export const appSetUp = {
  title: 'Add an authenticator app',
  scan: 'Scan this with your authenticator app, for example Google Authenticator or 1Password.',
  qr: 'QR code for your authenticator app',
  type: "Can't scan? Enter this key in the app:",
  key: 'Key',
  code: 'Code from the app',
  confirm: 'Confirm',
  cancel: 'Cancel',
  done: 'Your authenticator app is set up. Every other device is logged out.',
};

export const passkeySetUp = {
  title: 'Add a passkey',
  why: 'A passkey logs you in with your fingerprint, your face or the PIN of your device.',
  name: 'Name of this passkey',
  suggestion: 'My device',
  create: 'Create passkey',
  cancel: 'Cancel',
  done: 'Your passkey is added. Every other device is logged out.',
  refused: "Your device didn't create a passkey. Please try again.",
  known: 'This device already has a passkey for your account.',
};

export const recoveryCodeList = {
  title: 'Your recovery codes',
  why: `Each of these ${RECOVERY_CODES} codes logs you in once if you lose your phone. We show them only now, so keep them where you can find them.`,
  download: 'Download',
  fileName: 'handstamp-recovery-codes.txt',
  done: 'I have saved them',
};
