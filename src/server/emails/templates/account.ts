/** Emails about an account: links that the owner asked for, and warnings about changes they may not have made. */
import { EMAILED_CODE_MINUTES } from '#domain/accounts/factors.ts';
import { factorList } from '#messages/accounts/factors.ts';
import { button, type EmailContent, paragraph, quoted, smallPrint } from './layout.ts';

export function verifyEmailEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Verify your email for Handstamp',
    preview: 'One click and you can create your first event.',
    head: { title: 'Verify your email' },
    blocks: [
      paragraph('Welcome to Handstamp! Confirm your email to create your first event.'),
      button('Verify email', url),
      smallPrint("The link works for 24 hours. Didn't sign up? You can ignore this email."),
    ],
  };
}

export function resetPasswordEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Reset your Handstamp password',
    preview: 'The link works once, for 60 minutes.',
    head: { title: 'Reset your password' },
    blocks: [
      paragraph("Here's your link to choose a new password."),
      button('Choose a new password', url),
      smallPrint(
        "The link works once, for 60 minutes. Didn't request this? Ignore this email and your password stays the same.",
      ),
    ],
  };
}

export function confirmNewEmailEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Confirm your new email for Handstamp',
    preview: 'Nothing changes until you do.',
    head: { title: 'Confirm your new email' },
    blocks: [
      paragraph('Confirm this address to use it for your Handstamp account.'),
      button('Confirm this address', url),
      smallPrint(
        "The link works for 24 hours. Confirming logs you out everywhere, and from then on you log in with this address. Didn't request this? Ignore this email and nothing changes.",
      ),
    ],
  };
}

/** Goes to the address that the account had when the change was requested. */
export function emailChangedEmail({ url, newEmail }: { url: string; newEmail: string }): EmailContent {
  return {
    subject: 'Your Handstamp email is about to change',
    preview: 'Not you? Keep this address.',
    head: { title: 'Your email is about to change' },
    blocks: [
      paragraph(`We got a request to change your account's email to ${quoted(newEmail)}.`),
      paragraph("If that was you, there's nothing to do here. Use the link we sent to the new address."),
      paragraph('Not you? Keep this address, log out every device and turn off the current password:'),
      button('Keep this address', url),
      smallPrint(
        "The link works for 72 hours after the change. Once you use it, we'll email you another one to choose a new password, since someone may know your current one.",
      ),
    ],
  };
}

export function passwordChangedEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Your Handstamp password was changed',
    preview: 'Not you? Choose another one now.',
    head: { title: 'Your password was changed' },
    blocks: [
      paragraph('Your password was changed, and your other devices are logged out.'),
      paragraph(
        'Not you? Someone else may know your password or read this inbox. Secure your inbox first, then choose another password:',
      ),
      button('Choose another password', url),
    ],
  };
}

export function factorChangedEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Your Handstamp second factors were changed',
    preview: 'Not you? Check them now.',
    head: { title: 'Your second factors were changed' },
    blocks: [
      paragraph('A passkey or an authenticator app was added or removed, or your recovery codes were replaced.'),
      paragraph("Not you? Remove what you don't know, then change your password:"),
      button('Check your second factors', url),
    ],
  };
}

/** `device` is made of a browser's name and a system's; empty if unknown. */
export function newLoginEmail({ url, device }: { url: string; device: string }): EmailContent {
  return {
    subject: 'New login to your Handstamp account',
    preview: 'Not you? Log it out.',
    head: { title: 'New login' },
    blocks: [
      paragraph(`Someone logged in to your account with ${device || 'a browser or app'} that you haven't used before.`),
      paragraph('Not you? Log it out, then change your password:'),
      button('See your logged-in devices', url),
    ],
  };
}

export function loginCodeEmail({ code }: { code: string }): EmailContent {
  return {
    subject: 'Your Handstamp login code',
    preview: `It works for ${EMAILED_CODE_MINUTES} minutes.`,
    head: { title: 'Your login code' },
    blocks: [
      paragraph('Someone has been guessing your password, so this login needs a code as well:'),
      paragraph(code),
      smallPrint(
        `It works once, for ${EMAILED_CODE_MINUTES} minutes. Didn't log in? Change your password: someone else knows it.`,
      ),
    ],
  };
}

export function recoveryCodeUsedEmail({ url, left }: { url: string; left: number }): EmailContent {
  return {
    subject: 'A Handstamp recovery code was used',
    preview: 'Not you? Change your password.',
    head: { title: 'A recovery code was used' },
    blocks: [
      paragraph(`Someone logged in to your account with a recovery code. ${factorList.codesLeft(left)}`),
      paragraph('Not you? Change your password, then make new codes:'),
      button('Open Security', url),
    ],
  };
}

export function failedLoginsEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Someone is guessing your Handstamp password',
    preview: 'Your password still works.',
    head: { title: 'Someone is guessing your password' },
    blocks: [
      paragraph('We blocked 100+ failed logins on your account in the past hour. Your password still works.'),
      paragraph('If your password is short, or you use it anywhere else, choose another one:'),
      button('Choose another password', url),
    ],
  };
}

/** Doesn't say what changed: other people may read the inbox. */
export function accountInfoChangedEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Your Handstamp account information was changed',
    preview: 'Not you? Change your password.',
    head: { title: 'Your account information was changed' },
    blocks: [
      paragraph('The name, date of birth, organization or tax ID on your account was changed.'),
      paragraph('Not you? Change your password now. It logs out every device:'),
      button('Choose another password', url),
    ],
  };
}

export function recordsLinkEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Your Handstamp data',
    preview: 'The link works for 60 minutes.',
    head: { title: 'Your data' },
    blocks: [
      paragraph("Here's your link to see or delete your data."),
      button('See your data', url),
      smallPrint("The link works for 60 minutes. Didn't request this? Ignore this email and nothing happens."),
    ],
  };
}
