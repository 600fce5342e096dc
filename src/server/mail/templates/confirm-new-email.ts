import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

export function confirmNewEmailLetter({ url }: { url: string }): Letter {
  return letter({
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
