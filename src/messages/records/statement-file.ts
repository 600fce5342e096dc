/** The statement of an event's payouts as a file. */
import { calendarDate, dayAndTime } from '#messages/format.ts';

export const statementFile = {
  title: 'Statement',
  fileName: (title: string, day: string) => `Statement of ${title} ${day}`,
  takesPlace: (when: string) => `Event: ${when}`,
  payout: 'Payout',
  additional: 'Additional payout',
  estimate: (at: Date, timezone: string) => `Estimate of ${dayAndTime(at, timezone)}`,
  estimateNote: 'Nothing is paid out yet. Sales, refunds and disputes still change these amounts.',
  requested: 'Requested',
  paid: (at: Date | null, timezone: string) => (at === null ? 'Paid' : `Paid on ${calendarDate(at, timezone)}`),
  columns: ['Event', 'Payout', 'Status', 'Line', 'Amount in US dollars', 'Is the sum'],
  yes: 'yes',
  no: 'no',
};

export const statementButtons = { pdf: 'Download PDF', csv: 'Download CSV' };
