/** On the tickets of an order that are saved as a file. */
import { longDate } from '../format.ts';

export const ticketFile = {
  tickets: (title: string) => `${title}, tickets`,
  from: longDate,
  until: (when: string) => `Until ${when}`,
  doors: (when: string) => `Doors open ${when}`,
  confirmationNumber: 'Confirmation number',
  seller: (organization: string | null) => (organization === null ? 'Sold on Handstamp' : `Sold by ${organization}`),
};

export const ticketFileErrors = {
  'order.no-tickets': "None of this order's tickets can be scanned any more.",
};
