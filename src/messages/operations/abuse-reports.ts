/** Reports of an event: the form, and the operator's list. */
import type { ReportReason } from '#contract/app/abuse-reports.ts';
import { plural } from '#messages/format.ts';
import { reportLink } from '../sales/event-page.ts';

export const reportReasonTexts: Record<ReportReason, string> = {
  'not-real': "It isn't real, or it's a scam",
  misleading: 'The description or the price is misleading',
  rights: 'It uses a name, photo or brand without permission',
  harmful: 'It is illegal, hateful or dangerous',
  other: 'Something else',
};

export const reportPage = {
  title: reportLink,
  lead: "We read every report. The organizer doesn't learn that you sent one.",
  reason: "What's wrong?",
  choose: 'Choose a reason',
  text: 'Tell us more',
  hint: "Optional. Don't enter card numbers or passwords. For a refund, use the event page.",
  submit: 'Send the report',
  sent: 'Thanks, we got your report.',
  next: 'If you bought a ticket, you can still request a refund.',
  back: 'Back to the event',
  failed: "We couldn't send your report. Please try again.",
};

const networks = (count: number) => plural(count, { one: '# network', other: '# networks' });

export const reportList = {
  title: (events: number) => plural(events, { one: '# reported event', other: '# reported events' }),
  count: (count: number, from: number) =>
    `${plural(count, { one: '# report', other: '# reports' })} from ${networks(from)}`,
  newest: (count: number) => `The newest ${count}:`,
};

export const handleReportsTexts = {
  label: 'Mark as handled',
  question: 'The reports leave this list. New ones are listed again.',
  done: 'Marked as handled.',
  isRelease: true,
  hint: 'Only operators read this.',
};
