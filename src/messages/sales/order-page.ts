/** The page of an order, for its buyer. */
import type { OrderDetails } from '#contract/app/checkout.ts';
import { formatCents, pricePaid } from '../format.ts';

type EndedState = OrderDetails['endedTickets'][number]['state'];

export const orderPage = {
  title: 'Your tickets',
  admitted: "You're in.",
  thankYou: 'Thank you.',
  refunded: 'This order has been refunded',
  cancelled: 'This event was cancelled',
  sentTo: (email: string) => `Sent to ${email}`,
  refundedLead: 'The money is on its way back to your card.',
  nothingPaid: 'These tickets no longer work.',
  cancelledTickets: "These tickets no longer work. We're refunding every buyer in full.",
  movedTitle: (when: string) => `New date: ${when}`,
  movedText: (was: string) => `It was ${was}. Your tickets are good for the new date.`,
  disputedTitle: 'Your bank is reviewing this payment',
  disputedText:
    "Until the bank decides, these tickets won't scan. Didn't start this? Ask your bank to drop the dispute.",
  checkedInAt: (when: string) => `Checked in ${when}`,
  pickedUpAt: (when: string) => `Picked up ${when}`,
  showAtDoor: 'Show at the door',
  next: 'Before you go',
  when: 'When',
  until: (time: string) => `until ${time}`,
  doors: (time: string) => `Doors open ${time}`,
  where: 'Where',
  directions: 'Directions',
  calendar: 'Add to calendar',
  print: 'Print',
  eventPage: 'Event page',
  receipt: 'Receipt',
  item: 'Item',
  amount: 'Amount',
  total: 'Total',
  paid: (when: string) => `Paid ${when}. No fees were added.`,
  free: (when: string) => `Ordered ${when}.`,
  help: 'Need something?',
  resend: 'Email my tickets again',
  resending: 'Sending…',
  notResent: "We couldn't send the email. Please try again.",
  refund: 'Refund',
  refundOne: (ticket: string) => `Refund ${ticket}`,
  refundTitle: (ticketName: string) => `Refund ${ticketName}?`,
  refundWhy: ({ amount, position }: { amount: string; position: string }) =>
    `You get ${amount} back on the card you paid with, in 3–7 business days. ${position} stops working right away.`,
  cancelWhy: (position: string) => `It was free, so there's nothing to refund. ${position} stops working right away.`,
  refundConfirm: (amount: string | null) => (amount === null ? 'Cancel ticket' : `Refund ${amount}`),
  keep: 'Keep my ticket',
  refundsUntil: (when: string) => `Refunds close ${when}.`,
};

export const orderResent = 'We emailed your tickets again.';

/** On what is left of a ticket. */
export function endedTicket(state: EndedState, cents: number): string {
  if (state === 'void') return 'No longer valid';
  if (cents === 0) return 'Canceled';
  return state === 'refunding' ? `${formatCents(cents)} on its way to you` : `Refunded ${formatCents(cents)}`;
}

export function receiptLine({
  ticketName,
  quantity,
  unitPriceCents,
  promoCode,
}: OrderDetails['lines'][number]): string {
  const line = `${quantity} × ${ticketName}`;
  if (quantity === 1 && promoCode === null) return line;
  return `${line}, ${pricePaid({ priceCents: unitPriceCents, promoCode })}`;
}
