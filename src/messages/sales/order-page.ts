/** The page of an order, for its buyer. */
import type { OrderDetails } from '#contract/app/checkout.ts';
import type { IncludedTax } from '#domain/taxes/included-tax.ts';
import { formatCents, formatRate, pricePaid } from '../format.ts';

type EndedState = OrderDetails['endedTickets'][number]['state'];

export const orderPage = {
  noSession: 'No session ID provided',
  loading: 'Getting your tickets…',
  keepOpen: 'Please keep this page open.',
  printing: 'Payment received. Printing your tickets…',
  printingLead: 'This usually takes less than 10 seconds.',
  failed: 'Failed to fetch confirmation data',
  retry: 'Try again',
  delayed: 'Your tickets are on their way',
  delayedLead: "You don't need to pay again. We'll email you.",
  delayedText: 'This is taking longer than usual. Your tickets will show up here, too.',
  checkAgain: 'Check again',
  unpaid: "This order isn't paid yet",
  unpaidLead: "You haven't been charged. We're holding your tickets while the checkout is open.",
  toCheckout: 'Back to checkout',
  havePaid: "I've paid, check again",
  toEvent: 'Back to the event',
  expired: 'This checkout has expired',
  expiredLead: "You weren't charged, and the tickets were released.",
  inReview: "We're reviewing your payment",
  inReviewLead: "You don't need to pay again. We're still holding your tickets.",
  inReviewText:
    "The amount paid doesn't match your order, so our team is on it. Either way, you won't pay for tickets you don't get.",
  ready: 'Your tickets are ready.',
  offline: (saved: string) => `No connection. ${saved}.`,
  title: 'Your tickets',
  admitted: (name?: string) => (name === undefined ? "You're in." : `You're in, ${name}.`),
  thankYou: (name?: string) => (name === undefined ? 'Thank you.' : `Thank you, ${name}.`),
  refunded: 'This order has been refunded',
  cancelled: 'This event was cancelled',
  sentTo: (email: string) => `Sent to ${email}`,
  voidTitle: 'These tickets are no longer valid',
  voidLead: 'Your payment has been returned.',
  refundedLead: 'The money is on its way back to your card.',
  nothingPaid: 'These tickets no longer work.',
  cancelledTickets: 'These tickets no longer work. What you paid is on its way back to you.',
  newDate: (when: string) => `New date: ${when}`,
  newTime: (when: string) => `New time: ${when}`,
  newVenue: (address: string) => `New venue: ${address}`,
  movedText: (was: string) => `It was ${was}. Your tickets are still good.`,
  disputedTitle: 'Your bank is reviewing this payment',
  disputedText:
    "Until the bank decides, these tickets won't scan. Didn't start this? Ask your bank to drop the dispute.",
  checkedInAt: (when: string) => `Checked in ${when}`,
  pickedUpAt: (when: string) => `Picked up ${when}`,
  showAtDoor: 'Show at the door',
  showOneAtDoor: (ticket: string) => `Show at the door: ${ticket}`,
  next: 'Before you go',
  when: 'When',
  until: (time: string) => `until ${time}`,
  doors: (time: string) => `Doors open ${time}`,
  where: 'Where',
  directions: 'Directions',
  calendar: 'Add to calendar',
  downloadPdf: 'Download PDF',
  appleWallet: 'Add to Apple Wallet',
  googleWallet: 'Add to Google Wallet',
  print: 'Print',
  eventPage: 'Event page',
  changes: "What's changed",
  receipt: 'Receipt',
  item: 'Item',
  amount: 'Amount',
  total: 'Total',
  includedTax: ({ rate, label }: IncludedTax) => `Includes ${label}, ${formatRate(rate)}`,
  returned: 'Refunded',
  paid: (when: string) => `Paid ${when}. No fees were added.`,
  free: (when: string) => `Ordered ${when}.`,
  /** For guests at no charge. */
  withdrawn: 'You are no longer on the guest list',
  added: (when: string) => `Added to the guest list ${when}.`,
  cannotCome: "Can't come? Let the organizer know.",
  help: 'Need something?',
  resend: 'Email my tickets again',
  resending: 'Sending…',
  notResent: "We couldn't send the email. Please try again.",
  keep: 'Keep it',
  refundsUntil: (when: string) => `Refunds close ${when}.`,
};

interface OwnTicket {
  ticketName: string;
  position: number;
  of: number;
  isAddOn?: boolean | undefined;
  priceCents: number;
}

/** In sentences: `Ticket 2 of 3`. */
export const nameOfTicket = ({ position, of, isAddOn }: Pick<OwnTicket, 'position' | 'of' | 'isAddOn'>): string =>
  `${isAddOn ? 'Add-on' : 'Ticket'} ${position} of ${of}`;

/** A ticket's button and the question behind it: a free one is canceled, any other refunded. */
export function refundTexts({ ticketName, position, of, isAddOn, priceCents }: OwnTicket) {
  const ticket = nameOfTicket({ position, of, isAddOn });
  const ends = `${ticket} stops working right away.`;
  if (priceCents === 0)
    return {
      button: 'Cancel',
      label: `Cancel ${ticket}`,
      title: `Cancel ${ticketName}?`,
      why: `It was free, so there's nothing to refund. ${ends}`,
      confirm: 'Cancel it',
    };
  const amount = formatCents(priceCents);
  return {
    button: 'Refund',
    label: `Refund ${ticket}`,
    title: `Refund ${ticketName}?`,
    why: `You get ${amount} back on the card you paid with, in 3–7 business days. ${ends}`,
    confirm: `Refund ${amount}`,
  };
}

export const orderResent = 'We emailed your tickets again.';

/** On what is left of a ticket. */
export function endedTicket(state: EndedState, cents: number): string {
  if (state === 'void') return 'No longer valid';
  if (state === 'transferred') return 'Transferred';
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
