import { DRAFT_YEARS } from '#domain/retention.ts';
import { calendarDate } from '#messages/format.ts';
import { button, type EmailContent, paragraph, quoted, smallPrint } from './layout.ts';

interface OldDraft {
  title: string;
  timezone: string;
  deletedAt: Date;
  url: string;
}

export function draftDeletionEmail({ title, timezone, deletedAt, url }: OldDraft): EmailContent {
  const day = calendarDate(deletedAt, timezone);
  return {
    subject: `We'll delete your draft ${quoted(title)} on ${day}`,
    preview: 'To keep it, change anything in it, or publish it.',
    head: { title: 'An old draft', below: [title] },
    blocks: [
      paragraph(`No one has changed ${quoted(title)} for almost ${DRAFT_YEARS} years, and it was never published.`),
      paragraph(`To keep it, change anything in it, or publish it, before ${day}. Then we delete it, with its photos.`),
      button('Open the draft', url),
      smallPrint("Don't need it any longer? There's nothing to do."),
    ],
  };
}
