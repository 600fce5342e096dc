import { button, paragraph } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

export function passwordChangedLetter({ url }: { url: string }): Letter {
  return letter({
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
