import { button, paragraph } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

/** Names nothing of what was changed: mailboxes are read by others. */
export function accountInfoChangedLetter({ url }: { url: string }): Letter {
  return letter({
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
