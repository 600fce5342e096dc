/** On the tickets of an order that are saved as a file. */
export const ticketFile = {
  tickets: (title: string) => `${title}, tickets`,
  until: (when: string) => `Until ${when}`,
  doorsLabel: 'Doors',
  doors: (when: string) => `Doors open ${when}`,
  confirmationNumber: 'Confirmation number',
  event: 'Event',
  when: 'When',
  where: 'Where',
  city: ({ city, state, postalCode }: { city: string; state: string; postalCode: string }) =>
    `${city}, ${state} ${postalCode}`,
  eventPage: 'Event page',
  savedState: 'This pass shows the ticket as it was when you saved it. The link in your email has the latest.',
  followedState: 'This pass changes when the event or your ticket does.',
  status: 'Status',
  valid: 'Valid',
  /** On the front of a pass, in a word. */
  voided: {
    'event-cancelled': 'Cancelled',
    refunding: 'Refunding',
    refunded: 'Refunded',
    disputed: 'Disputed',
    void: 'Void',
    transferred: 'Transferred',
  },
  whyVoided: {
    'event-cancelled': 'The event was cancelled. This ticket is no longer valid.',
    refunding: 'A refund was requested. This ticket is no longer valid.',
    refunded: 'This ticket was refunded and is no longer valid.',
    disputed: 'The payment is disputed. This ticket is not valid for now.',
    void: 'This ticket is no longer valid.',
    transferred: 'This ticket was transferred to someone else. This pass is no longer valid.',
  },
  /** On a locked phone. Wallet puts the new value in. */
  changed: {
    when: 'Now on %@',
    where: 'Now at %@',
    doors: '%@',
    status: '%@',
  },
  description: (title: string) => `Ticket for ${title}`,
  issuer: (organization: string | null) => organization ?? 'Handstamp',
  seller: (organization: string | null) => (organization === null ? 'Sold on Handstamp' : `Sold by ${organization}`),
};

export const ticketFileErrors = {
  'order.no-tickets': "None of this order's tickets can be scanned anymore.",
  'order.ticket-ended': "This ticket can't be scanned anymore.",
  'wallet.wrong-token': "This isn't the pass's token.",
  'wallet.too-many-devices': 'This pass is on too many phones.',
};
