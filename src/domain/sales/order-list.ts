/** What became of an order, as its event's list of orders says it. */

/** In review: the payment doesn't match the order. Checkout: the tickets are reserved and not paid yet. */
export const listedOrderStates = [
  'paid',
  'partly-refunded',
  'refunded',
  'disputed',
  'in-review',
  'free',
  'comp',
  'checkout',
] as const;

export type ListedOrderState = (typeof listedOrderStates)[number];

const SHORT_NUMBER = 8;

/** The end of the order's id: short enough to read out, and found by the search. */
export const orderNumber = (orderId: string): string => orderId.slice(-SHORT_NUMBER).toUpperCase();
