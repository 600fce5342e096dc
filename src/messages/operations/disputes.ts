/** Disputes on the operator's dashboard. */
import type { Deadline } from '#domain/dispute.ts';
import { plural } from '#messages/format.ts';

export const disputeList = {
  title: (total: number) => plural(total, { one: '# open dispute', other: '# open disputes' }),
  more: (count: number) => plural(count, { one: '# more is due later.', other: '# more are due later.' }),
  inquiry: 'Inquiry',
  inquiryAdvice: 'No money has moved. Respond before it becomes a dispute.',
  noBuyer: 'Buyer deleted',
  order: 'Order',
  openInStripe: 'Open in Stripe',
};

/** Stripe's code in words; a code that is new to us as it is. */
export const disputeReason = (code: string): string => reasons[code] ?? code.replaceAll('_', ' ');

const reasons: Record<string, string> = {
  fraudulent: 'Fraud claim',
  product_not_received: 'Not received',
  product_unacceptable: 'Not as described',
  credit_not_processed: 'Refund missing',
  duplicate: 'Charged twice',
  subscription_canceled: 'Canceled',
  unrecognized: 'Not recognized',
  general: 'No reason given',
};

/** `Due Dec 7, 8:00 PM EST (5 days)` */
export function dueText({ urgency, days, hours }: Deadline, at: string): string {
  if (urgency === 'over') return `Was due ${at}`;
  const left =
    days > 0 ? plural(days, { one: '# day', other: '# days' }) : plural(hours, { one: '# hour', other: '# hours' });
  return `Due ${at} (${left})`;
}
