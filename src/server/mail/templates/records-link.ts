import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

export function recordsLinkLetter({ url }: { url: string }): Letter {
  return letter({
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
