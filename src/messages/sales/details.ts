/** The page that asks a buyer who uses the tickets, and what the organizer wants to know. */
import { YES_NO } from '#domain/sales/guest-form.ts';

export const detailsPage = {
  title: 'Your details',
  held: (until: string) => `We're holding your tickets until ${until} while this page is open.`,
  order: 'Your order',
  ticket: (position: number, of: number, name: string) => (of === 1 ? name : `Ticket ${position} of ${of}: ${name}`),
  addOn: (position: number, of: number, name: string) => (of === 1 ? name : `Add-on ${position} of ${of}: ${name}`),
  name: 'Name',
  choose: 'Choose…',
  none: 'No answer',
  yesNo: YES_NO,
  optional: 'Optional.',
  copy: 'Copy to all tickets',
  copied: 'Copied to the fields that were blank',
  toPayment: (total: string) => `Continue to pay ${total}`,
  opening: 'Opening the payment page…',
  toEmail: 'Continue',
  problems: (count: number) => `${count} answers are missing or don't fit`,
  notSaved: "We couldn't save your details. Please try again.",
  payingTitle: "We're checking your payment",
  payingLead: "You don't need to pay again. We'll email you.",
  doneTitle: 'Almost there',
  doneLead: "Your tickets are reserved. All that's left is to pay.",
};
