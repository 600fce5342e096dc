/** The tour of the product on the landing page. */
export const seeLiveEvent = 'See a live event';

export const tour = {
  title: 'A tour',
  event: {
    title: 'A page that sells by itself',
    text: 'Photos, ticket types, a map and one checkout. Buyers need no account, and the price they see is the price they pay.',
    alt: 'The page of an event: a photo, its date and venue, two ticket types and a cart.',
  },
  door: {
    title: 'A door that needs no network',
    text: "Any phone is a scanner: open a link, enter the code. When the signal drops, it keeps checking tickets and syncs once it's back.",
    alt: 'The scanner on a phone: a stamp across a ticket’s code, and “Let them in”.',
  },
  tickets: {
    title: 'One link for every buyer',
    text: 'Tickets, calendar, transfer, receipt and refund, on one page that works offline. Your inbox stays empty.',
    alt: 'The page of an order on a phone: a ticket with its code and number.',
  },
  money: {
    title: 'Your statement before the payout',
    text: "From the first sale on, you see what you'll get: tickets, fees and refunds, to the cent. The day after, it's on its way to your bank.",
    alt: 'The money of an event: what its organizer will get, and each row that leads to it.',
  },
};
