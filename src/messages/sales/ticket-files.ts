/** On the tickets of an order that are saved as a file. */
export const ticketFile = {
  tickets: (title: string) => `${title}, tickets`,
  until: (when: string) => `Until ${when}`,
  doors: (when: string) => `Doors open ${when}`,
  confirmationNumber: 'Confirmation number',
  event: 'Event',
  when: 'When',
  where: 'Where',
  city: ({ city, state, postalCode }: { city: string; state: string; postalCode: string }) =>
    `${city}, ${state} ${postalCode}`,
  eventPage: 'Event page',
  savedState: 'This pass shows the ticket as it was when you saved it. The link in your email has the latest.',
  description: (title: string) => `Ticket for ${title}`,
  issuer: (organization: string | null) => organization ?? 'Handstamp',
  seller: (organization: string | null) => (organization === null ? 'Sold on Handstamp' : `Sold by ${organization}`),
};

export const ticketFileErrors = {
  'order.no-tickets': "None of this order's tickets can be scanned anymore.",
  'order.ticket-ended': "This ticket can't be scanned anymore.",
};
