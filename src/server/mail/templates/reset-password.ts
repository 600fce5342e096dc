import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

export function resetPasswordLetter({ url }: { url: string }): Letter {
  return letter({
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
