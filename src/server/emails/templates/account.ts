import { button, paragraph, smallPrint } from './blocks.ts';
import { type EmailLayout, renderLayout } from './layout.ts';

export function verifyEmailEmail({ url }: { url: string }): EmailLayout {
  return renderLayout({
    subject: 'Verify your email for Handstamp',
    preview: 'One click, and your account is ready for its first event.',
    head: { title: 'Verify your email' },
    blocks: [
      paragraph(
        'Someone, we hope you, signed up for Handstamp with this address. Verify it to create your first event.',
      ),
      button('Verify email', url),
      smallPrint(
        'The link works for 24 hours. If you did not sign up, ignore this mail: without the link, nothing happens.',
      ),
    ],
  });
}

export function resetPasswordEmail({ url }: { url: string }): EmailLayout {
  return renderLayout({
    subject: 'Reset your Handstamp password',
    preview: 'The link works once, for 30 minutes.',
    head: { title: 'Reset your password' },
    blocks: [
      paragraph('Someone, we hope you, asked for a new password for this account.'),
      button('Choose a new password', url),
      smallPrint(
        'The link works once, for 30 minutes, and only until a newer one is asked for. If it was not you, ignore this mail: your password stays as it is.',
      ),
    ],
  });
}

export function confirmNewEmailEmail({ url }: { url: string }): EmailLayout {
  return renderLayout({
    subject: 'Confirm your new email for Handstamp',
    preview: 'One click, and you log in with this address.',
    head: { title: 'Confirm your new email' },
    blocks: [
      paragraph('Someone, we hope you, wants to use this address for their Handstamp account.'),
      button('Use this address', url),
      smallPrint(
        'The link works for 24 hours. You will be logged out everywhere, and log in with this address from then on. If it was not you, ignore this mail: without the link, nothing happens.',
      ),
    ],
  });
}

/** To the address that the account had when the change was asked for. */
export function emailChangedEmail({ url, newEmail }: { url: string; newEmail: string }): EmailLayout {
  return renderLayout({
    subject: 'Your Handstamp email is about to change',
    preview: 'If it was not you, one click keeps this address.',
    head: { title: 'Your email is about to change' },
    blocks: [
      paragraph(`Someone, we hope you, asked to change the email of your account to ${newEmail}.`),
      paragraph('If it was you, there is nothing to do here: open the link that we sent to the new address.'),
      paragraph('If it was not you, keep this address. That also logs out everyone who uses your account:'),
      button('Keep this address', url),
      smallPrint(
        'The link works for 72 hours from the change. Afterwards choose a new password, since someone may know the present one.',
      ),
    ],
  });
}

export function passwordChangedEmail({ url }: { url: string }): EmailLayout {
  return renderLayout({
    subject: 'Your Handstamp password was changed',
    preview: 'You are logged out everywhere.',
    head: { title: 'Your password was changed' },
    blocks: [
      paragraph(
        'The password of your account was changed with a link from this mailbox. You are logged out everywhere.',
      ),
      paragraph('If it was not you, someone else reads this mailbox. Secure it, then choose another password:'),
      button('Choose another password', url),
    ],
  });
}

export function failedLoginsEmail({ url }: { url: string }): EmailLayout {
  return renderLayout({
    subject: 'Someone is guessing your Handstamp password',
    preview: 'Nobody got in with a wrong password.',
    head: { title: 'Someone is guessing your password' },
    blocks: [
      paragraph(
        'There were more than a hundred log-ins with a wrong password at your account within an hour. We slow them down, and yours still works.',
      ),
      paragraph('If your password is short, or you use it elsewhere too, choose another one:'),
      button('Choose another password', url),
    ],
  });
}

/** Names nothing of what was changed: mailboxes are read by others. */
export function accountInfoChangedEmail({ url }: { url: string }): EmailLayout {
  return renderLayout({
    subject: 'Your Handstamp account information was changed',
    preview: 'If it was not you, choose another password.',
    head: { title: 'Your account information was changed' },
    blocks: [
      paragraph('The name, the date of birth, the organization or the tax ID of your account was changed.'),
      paragraph('If it was not you, someone else is logged in. Choose another password, which logs out everyone:'),
      button('Choose another password', url),
    ],
  });
}

export function recordsLinkEmail({ url }: { url: string }): EmailLayout {
  return renderLayout({
    subject: 'What Handstamp keeps about you',
    preview: 'The link works for 30 minutes.',
    head: { title: 'What we keep about you' },
    blocks: [
      paragraph(
        'Someone, we hope you, asked what we keep about this address. The link shows it, and deletes it if you like.',
      ),
      button('See what is kept', url),
      smallPrint(
        'The link works for 30 minutes, and only until a newer one is asked for. If it was not you, ignore this mail: nothing is shown to anyone, and nothing is deleted.',
      ),
    ],
  });
}
