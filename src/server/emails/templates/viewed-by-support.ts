import { VIEWING_MINUTES } from '#domain/limits.ts';
import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

export function viewedBySupportEmail({ url }: { url: string }): EmailContent {
  return {
    subject: 'Support is viewing your Handstamp organization',
    preview: 'They see what you see, and can change nothing.',
    head: { title: 'Support is viewing your organization' },
    blocks: [
      paragraph(
        `Someone on our support team opened your organization. For ${VIEWING_MINUTES} minutes they see what you see. They can't change or download anything.`,
      ),
      button('See the activity', url),
      smallPrint("Didn't ask for help? The activity says when it began and ended."),
    ],
  };
}
