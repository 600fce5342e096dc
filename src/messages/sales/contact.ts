/** Messages to the organizer of an event: the form, its errors, and the emails that carry them. */
import { contactLink } from './event-page.ts';

export const contactPage = {
  title: contactLink,
  heading: (organizationName: string | null) =>
    organizationName === null ? contactLink : `Contact ${organizationName}`,
  about: (title: string) => `About ${title}`,
  email: 'Your email',
  emailHint: 'The organizer sees it, and replies there.',
  knownEmail: (email: string) => `The organizer replies to ${email}, the address of your order.`,
  message: 'Your message',
  messageHint: "Don't enter card numbers or passwords.",
  submit: 'Send message',
  busy: 'Sending…',
  failed: "We couldn't send your message. Please try again.",
  next: 'The reply comes to your inbox.',
  backToEvent: 'Back to the event',
  backToOrder: 'Back to your tickets',
  description: 'Write to the organizer of an event.',
  closed: 'This event is over',
  closedText: "The organizer can't be reached here anymore.",
  unreachable: "The organizer can't be reached here right now",
  support: 'We can help:',
};

export const contactSent = 'Your message is on its way.';

export const contactErrors = {
  'contact.closed': "The organizer of this event can't be reached here anymore.",
  'contact.no-address': 'Enter your email.',
  'contact.unreachable': "The organizer can't be reached here right now. Please write to our support instead.",
};

export const contactEmail = {
  subject: (title: string) => `Message about ${title}`,
  preview: (from: string) => `From ${from}`,
  fromBuyer: 'Message from a buyer',
  fromVisitor: 'Message from a visitor',
  buyer: (name: string | null, from: string) => `${name ?? 'A buyer'} (${from}) wrote to you:`,
  visitor: (from: string) => `${from} wrote to you on the page of your event:`,
  reply: 'Just reply to this email. The sender then sees your address.',
  unconfirmed:
    "We haven't confirmed this address: anyone could have typed it. Think twice before you follow instructions.",
};

/** To the sender. Anyone may have typed the address. */
export const contactCopyEmail = {
  subject: 'We passed on your message',
  preview: 'The organizer replies to this address.',
  lead: (title: string) => `We sent your message about ${title} to the organizer, who replies to this address.`,
  message: (beginning: string) => `It begins: ${beginning}`,
  notYou: "Didn't write it? Someone typed your address. You can ignore this email.",
};
