/** What the page behind a refund's mailed link says. */
import { freeTicket, type RefundState } from './refunds.ts';

/** The heading, and what it means for the buyer. `amount` is written, such as `$24.00`; `when` is the moment of sending. */
export function refundHeadline(state: RefundState, { amount, when }: { amount: string; when: string }) {
  const words: Record<RefundState, { title: string; lead: string }> = {
    held: { title: 'Refund requested', lead: `We send ${amount} to the card that paid, after ${when}.` },
    sending: { title: 'Your refund is being sent', lead: `We are handing ${amount} to the card company.` },
    sent: {
      title: 'Your refund is on its way',
      lead: `The card company has ${amount}. Please allow 3-7 business days until your bank shows it.`,
    },
    settled: {
      title: 'Your refund is with your bank',
      lead: `${amount} went back to the card that paid. Please allow 3-7 business days until your bank shows it.`,
    },
    failed: {
      title: 'Your refund did not arrive',
      lead: `The card company could not deliver ${amount}. The money is yours, and we will be in touch.`,
    },
    refused: {
      title: 'This refund was not possible',
      lead: 'The card company did not accept it. No money has moved, and your ticket is valid again.',
    },
    restored: { title: 'You kept your ticket', lead: 'It is valid, and no money has moved.' },
  };
  return words[state];
}

/** The same for a free ticket, which moves no money. */
export function freeTicketHeadline({ isHeld, when }: { isHeld: boolean; when: string }) {
  const { canceled: title, noRefund } = freeTicket;
  return isHeld
    ? { title: 'Refund requested', lead: `${noRefund} Your ticket is canceled after ${when}.` }
    : { title, lead: noRefund };
}

export const refundSteps = {
  label: 'Where your refund is',
  requested: 'Requested',
  sent: 'Sent to the card company',
  /** Before it is sent; `when` is a moment. */
  after: (when: string) => `After ${when}`,
  settled: 'With your bank',
  settles: 'In 3-7 business days',
  givenBack: 'Given back',
  failed: 'Could not be delivered',
  refused: 'Not accepted by the card company',
  restored: 'Taken back by you',
};

export const keepTicketOffer = {
  title: 'You did not ask for this?',
  words: 'Then someone who knows your confirmation number did. Keep your ticket, and it is valid again at once.',
  button: 'Keep my ticket',
  busy: 'Keeping your ticket…',
};

export const refundPageMessages = {
  loading: 'Looking for your refund…',
  failed: 'Your refund could not be loaded',
  again: 'Look again',
  toEvent: 'Back to the event',
};
