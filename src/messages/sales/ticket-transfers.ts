/** Tickets and orders that go to another address. */
import { CORRECTION_MINUTES, TRANSFERS_MAX } from '#domain/sales/ticket-transfers.ts';

/** The button and the dialog on the page of an order, and of a ticket. */
export const transferPage = {
  button: 'Transfer',
  buttonLabel: (ticket: string) => `Transfer ${ticket}`,
  title: (ticket: string) => `Transfer ${ticket}`,
  email: 'Their email address',
  name: 'Their name',
  consequences: [
    'They get an email that opens it, with a new QR code and number.',
    'Your code stops working right away, also where you saved or printed it.',
    'A refund still goes to the card that paid.',
  ],
  confirm: 'Transfer the ticket',
  busy: 'Transferring…',
  cancel: 'Keep the ticket',
  failed: "We couldn't transfer the ticket. Please try again.",
  given: 'You transferred this ticket',
  givenLead: 'Its new holder has a new code. This page no longer shows it.',
  allGiven: 'You transferred your tickets',
  allGivenLead: 'Their new holders have them. A refund still goes to your card.',
  ended: 'This ticket no longer works',
  endedLead: 'The person who paid for it had it refunded, or the organizer withdrew it.',
};

export const ticketTransferred = 'Transferred. We emailed the new holder.';

export const correctAddress = {
  button: 'Fix the email address',
  title: 'Fix the email address',
  lead: "We'll email your tickets to the right address. You can do this once.",
  until: (when: string) => `Until ${when}, in this browser.`,
  email: 'Email address',
  save: 'Send my tickets there',
  saving: 'Sending…',
  cancel: 'Cancel',
  failed: "We couldn't change the address. Please try again.",
};

export const addressCorrected = 'We sent your tickets to the new address.';

/** In the guest list. */
export const correctEmailDialog = {
  button: 'Correct email',
  buttonLabel: (email: string) => `Correct email of ${email}`,
  title: 'Correct the email address',
  lead: (email: string) => `All tickets of the order of ${email} go to the new address, except transferred ones.`,
  informed: 'We tell the old address. Its link to the tickets stops working; the confirmation numbers stay.',
  email: 'New email address',
  save: 'Send the tickets there',
  saving: 'Sending…',
  cancel: 'Cancel',
  failed: "We couldn't correct the address.",
};

export const emailCorrected = 'Corrected. The tickets are on their way to the new address.';

interface AboutEvent {
  /** Quoted, where a stranger may have chosen it. */
  title: string;
}

export const transferEmails = {
  received: {
    subject: ({ title }: AboutEvent) => `You have a ticket for ${title}`,
    preview: 'Open it here, and show its QR code at the door.',
    above: 'A ticket for you',
    text: "The person who had this ticket gave it to you. It's yours now, and only its new code works.",
    open: 'Open my ticket',
    unknown: "Don't know what this is? You can ignore this email. The ticket costs you nothing.",
  },
  given: {
    subject: ({ title }: AboutEvent) => `Your ticket for ${title} was transferred`,
    preview: 'Your code no longer works.',
    above: 'Transferred',
    text: 'This ticket was transferred to another person from your link. Your QR code and number no longer work.',
    notYou: "Wasn't that you? Write to the organizer from the event's page, and don't share your link.",
    eventPage: 'Open the event page',
  },
  corrected: {
    subject: ({ title }: AboutEvent) => `Your tickets for ${title} have another address now`,
    preview: 'The email address of the order was corrected.',
    above: 'Email address corrected',
    text: 'The email address of this order was corrected, and its tickets went to the new address. Links that we sent here no longer open them.',
    notYou:
      "Expected the tickets here? Write to the organizer from the event's page, who can correct the address again.",
    eventPage: 'Open the event page',
  },
  refunded: {
    subject: ({ title }: AboutEvent) => `Your ticket for ${title} was refunded`,
    above: 'Refunded',
    preview: 'The ticket no longer works.',
    text: 'The person who paid for your ticket had it refunded, so it no longer works. The money went to the card that paid.',
  },
  withdrawn: {
    subject: ({ title }: AboutEvent) => `Your ticket for ${title} was withdrawn`,
    above: 'Withdrawn',
    preview: 'The ticket no longer works.',
    text: 'The organizer withdrew the ticket that you were given, so it no longer works.',
  },
  refunding: {
    subject: ({ title }: AboutEvent) => `Your ticket for ${title} is being refunded`,
    above: 'Refund requested',
    preview: "The ticket doesn't work.",
    text: "The person who paid for your ticket asked for a refund to their card. The ticket doesn't work. If they change their mind, we'll email you.",
  },
  restored: {
    subject: ({ title }: AboutEvent) => `Your ticket for ${title} works again`,
    above: 'Your ticket is good',
    preview: 'It was not refunded.',
    text: 'The refund was stopped. Your ticket works again, with the same code.',
  },
};

/** In the email about a cancelled event. */
export const cancelledForHolder = 'Whatever was paid goes back to the person who paid.';

export const transferErrors = {
  'transfer.closed': "Tickets can't be transferred once the event has started.",
  'transfer.off': "The organizer doesn't allow transfers for this event.",
  'transfer.limit': `This ticket was transferred ${TRANSFERS_MAX} times already.`,
  'transfer.scanned': "This ticket was scanned at the door, so it can't be transferred.",
  'transfer.disputed': "This payment is in dispute, so the ticket can't be transferred.",
  'transfer.ended': 'This ticket is no longer valid.',
  'transfer.same-address': 'This ticket already belongs to that address.',
  'transfer.too-many-emails': "We can't email this address right now. Please try again in an hour.",
  'transfer.unknown-ticket': "We can't find that ticket.",
  'refund.transferred':
    'This ticket was transferred. Ask for the refund from the order page in your confirmation email.',
  'correction.same-email': 'The order already has this email address.',
  'correction.done': 'The address was corrected already. Ask the organizer to correct it again.',
  'correction.too-late': `The address can be corrected for ${CORRECTION_MINUTES} minutes after the purchase. Ask the organizer.`,
  'correction.other-browser': 'The address can be corrected only in the browser you paid in. Ask the organizer.',
  'correction.unknown-order': "We can't find that order.",
};
