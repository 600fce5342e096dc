import { button, paragraph } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

export function passwordGuessedLetter({ url }: { url: string }): Letter {
  return letter({
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
