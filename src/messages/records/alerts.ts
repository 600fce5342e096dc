/** Alerts to operators. */
import { type CountedKind, countedKinds } from '#contract/app/action-items.ts';
import type { AlertKind } from '#contract/app/alerts.ts';
import { ALERT_MINUTES, EVIDENCE_DUE_SOON_DAYS, REPORTS_ALERT_NETWORKS } from '#domain/limits.ts';
import { DAYS, plural } from '#messages/format.ts';
import { actionItemMessages } from '#messages/operator.ts';

const kinds: Record<Exclude<AlertKind, 'action-item' | 'check-failed'>, string> = {
  discrepancy: actionItemMessages.discrepancy.what,
  'dispute-due': `Dispute due in less than ${plural(EVIDENCE_DUE_SOON_DAYS, DAYS)}`,
  'abuse-reports': `Event reported by ${REPORTS_ALERT_NETWORKS} networks within an hour`,
  'email-failing': `Emails waiting for more than ${ALERT_MINUTES} minutes`,
};

const isActionItemKind = (code: string): code is CountedKind => countedKinds.some((kind) => kind === code);
const isOwnKind = (kind: string): kind is keyof typeof kinds => Object.hasOwn(kinds, kind);

/** What the alert is about: an action item by its kind, a check by its name. */
export function alertMessage(kind: string, subject: string): string {
  if (isOwnKind(kind)) return kinds[kind];
  if (kind === 'check-failed') return `Failed check: ${subject}`;
  const [code = ''] = subject.split(' ');
  return isActionItemKind(code) ? actionItemMessages[code].what : code;
}

export const alertList = {
  title: (count: number) => plural(count, { one: '# alert', other: '# alerts' }),
  since: (when: string) => `since ${when}`,
  notEmailed: 'not emailed: ALERT_EMAIL is not set',
};
