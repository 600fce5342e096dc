/** Free orders: their page, and what the server answers about them. */
import { plural } from '../format.ts';

export const freeOrderPage = {
  loading: 'Loading your order…',
  notLoaded: "We couldn't load your order",
  retry: 'Try again',
  title: 'Get your tickets',
  noCharge: 'Free. No card needed.',
  email: 'Your email',
  emailHint: "We'll send your tickets here, after a 6-digit code.",
  sendCode: 'Send my code',
  sending: 'Sending…',
  notSent: "We couldn't send the code. Please try again.",
  sentTitle: 'Check your email',
  sentTo: (email: string) => `We sent a code and a link to ${email}.`,
  code: 'Code from the email',
  confirm: 'Get my tickets',
  confirming: 'Getting your tickets…',
  notConfirmed: "We couldn't confirm your tickets. Please try again.",
  again: 'Send it again',
  againIn: (seconds: number) => `Send it again in ${seconds} s`,
  sentAgain: 'Sent again',
  noEmail: 'No email? Check your spam folder.',
  otherAddress: 'Use another address',
  held: (until: string) => `We're holding your tickets until ${until} while this page is open.`,
  linkTitle: 'Confirm your tickets',
  linkLead: "You're one click away.",
  linkButton: 'Confirm my tickets',
  notYou: "Didn't order these? Close this page. Without a confirmation, nothing happens.",
  yoursTitle: 'This order is confirmed',
  yoursLead: 'Its tickets are in your email, too.',
  openTickets: 'Open my tickets',
  confirmedTitle: 'Your tickets are on their way',
  confirmedLead: (email: string | null) =>
    email === null ? 'We emailed them to you.' : `We emailed them to ${email}.`,
  confirmedHint: 'They open from the email, on any device.',
  expiredTitle: 'Your time is up',
  expiredLead: 'The tickets were released. If there are any left, you can get them again.',
  toEvent: 'Back to the event',
};

export const ticketLine = (ticketName: string, quantity: number) => `${quantity} × ${ticketName}`;

export const freeOrderErrors = {
  'free-order.codes-used-up': 'That code is wrong, too, so we released your tickets. You can start again.',
  'free-order.confirmed': "This order is confirmed already. Its tickets are in its buyer's email.",
  'free-order.has-tickets': 'You already have tickets for this event. They are in your email.',
  'free-order.old-link': 'This link no longer works. Use the one in our newest email.',
  'free-order.too-many-codes':
    "We've sent 3 codes for this order. Check your spam folder, or go back to the event and release the tickets to start again.",
  /** 0: this code has ended. */
  'free-order.wrong-code': ({ left }: { left: number }) =>
    left === 0
      ? "That code isn't right, and it has ended. Send a new one."
      : `That code isn't right. ${plural(left, { one: '# attempt', other: '# attempts' })} left.`,
};
