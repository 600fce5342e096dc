/** The sales tax that an event's prices include: on the Money tab and on receipts. */
import { TAX_LABEL, TAX_RATE_MAX } from '#domain/taxes/included-tax.ts';
import { formatCents, formatRate, plural } from '../format.ts';

interface Share {
  rate: number;
  label: string;
  tickets: number;
  grossCents: number;
}

export const includedTax = {
  title: 'Sales tax',
  lead: 'If your prices include a sales tax, receipts and files can show its share. Prices, fees and payouts stay the same.',
  percent: 'Rate in percent',
  percentHint: `Up to ${TAX_RATE_MAX / 1000}, such as 8.875. Leave it blank for no tax.`,
  label: 'Name on receipts',
  labelHint: `If blank: ${TAX_LABEL}.`,
  save: 'Save',
  failed: 'Failed to save the tax',
  loadFailed: 'Failed to load the tax',
  saved: 'Tax saved. It counts for orders from now on.',
  removed: 'From now on, prices include no tax.',
  none: 'Your prices include no tax.',
  shares: 'In tickets sold and not refunded',
  share: ({ rate, label, tickets, grossCents }: Share) =>
    `${label}, ${formatRate(rate)}, in ${formatCents(grossCents)} of ${plural(tickets, { one: '# ticket', other: '# tickets' })}`,
  since: (when: string) => `Orders from ${when} on`,
};
