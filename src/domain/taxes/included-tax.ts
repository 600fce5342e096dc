/** A sales tax that prices include. Receipts and reports show its share; what is paid and paid out doesn't change. */

export interface IncludedTax {
  /** Thousandths of a percent: 8.875 % is 8,875. */
  rate: number;
  /** What receipts call it. */
  label: string;
}

export const TAX_RATE_MAX = 30_000;
export const TAX_LABEL_MAX = 40;
export const TAX_LABEL = 'Sales tax';

const WHOLE = 100_000;

/** Cents of tax in the price of one ticket, half up. */
export function taxShare(unitPriceCents: number, rate: number): number {
  return Math.floor((2 * unitPriceCents * rate + WHOLE + rate) / (2 * (WHOLE + rate)));
}

interface PricedTickets {
  quantity: number;
  unitPriceCents: number;
}

/** Rounded for each ticket, so that orders, reports and refunds add up. */
export const taxOf = (tickets: readonly PricedTickets[], { rate }: Pick<IncludedTax, 'rate'>): number =>
  tickets.reduce((cents, { quantity, unitPriceCents }) => cents + quantity * taxShare(unitPriceCents, rate), 0);
