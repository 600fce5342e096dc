import { plural } from '#messages/format.ts';
import { alertMessage } from '#messages/records/alerts.ts';
import { button, type EmailContent, paragraph, smallPrint } from './layout.ts';

/** Longer than anyone reads. */
const LINES_MAX = 30;

/** Goes to the operator. Its counts are by kind and, for action items and checks, by what they are about. */
export function alertEmail({ counts, url }: { counts: Readonly<Record<string, number>>; url: string }): EmailContent {
  const entries = Object.entries(counts);
  const total = plural(
    entries.reduce((sum, [, count]) => sum + count, 0),
    { one: '# problem needs', other: '# problems need' },
  );
  return {
    subject: `Handstamp: ${total} you`,
    preview: 'They are on the dashboard.',
    head: { above: 'Alert', title: `${total} you` },
    blocks: [
      ...entries.slice(0, LINES_MAX).map(([code, count]) => paragraph(lineOf(code, count))),
      ...(entries.length > LINES_MAX ? [paragraph(`And ${entries.length - LINES_MAX} more.`)] : []),
      button('Open the dashboard', url),
      smallPrint("We'll email you again every day while a problem lasts."),
    ],
  };
}

function lineOf(code: string, count: number): string {
  const [kind = '', ...subject] = code.split(' ');
  const what = alertMessage(kind, subject.join(' '));
  return count === 1 ? what : `${what} (${count})`;
}
