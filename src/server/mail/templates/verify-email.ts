import { button, paragraph, smallPrint } from './blocks.ts';
import { type Letter, letter } from './letter.ts';

export function verifyEmailLetter({ url }: { url: string }): Letter {
  return letter({
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
