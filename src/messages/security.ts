/** Security of a person's account. */

export const securityPage = {
  title: 'Security',
  lead: 'Your password, your second factor, and where you are logged in.',
  back: 'Back to your events',
};

export const passwordChange = {
  title: 'Password',
  why: 'Changing it logs out every other device.',
  present: 'Current Password',
  next: 'New Password',
  again: 'Confirm New Password',
  submit: 'Change password',
  done: 'Your password is changed. Every other device is logged out.',
  failed: "We couldn't change your password. Please try again.",
};

export const passwordCommon = 'This password is too common. Choose a longer or less usual one.';

export const sessionList = {
  title: 'Logged-in devices',
  caption: 'Devices that are logged in to your account',
  device: 'Device',
  loggedInAt: 'Logged in',
  lastUsed: 'Last used',
  isThis: 'This device',
  unknownDevice: 'Unknown browser or app',
  actions: 'Log out',
  end: 'Log out',
  endLabel: (device: string) => `Log out ${device}`,
  ended: 'Logged out.',
  endOthers: 'Log out all other devices',
  othersEnded: 'All other devices are logged out.',
  onlyThis: "You're logged in on this device only.",
  notLoaded: "We couldn't load your devices.",
  again: 'Try again',
  failed: "We couldn't log it out. Please try again.",
};

/** For operators. */
export const endSessionsTexts = {
  title: 'Log a person out',
  why: 'Ends all sessions of one account, for example after a stolen device. The password stays.',
  email: 'Email of the account',
  submit: 'Log out everywhere',
  question: (email: string) => `${email} is logged out on every device, and can log in again with the password.`,
  cancel: 'Not now',
  done: 'Logged out everywhere.',
};
