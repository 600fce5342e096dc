import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

/** To the address that the account had when the change was asked for. */
export function emailChangeNoticeLetter({ url, newEmail }: { url: string; newEmail: string }): Letter {
  return letter({
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
