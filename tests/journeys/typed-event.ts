/** What journeys type into the form of an event, besides its title and its start. */
export const typedEvent = {
  description: 'Four fiddles, no microphones.',
  participants: '200',
  street: '178 Bleecker St',
  city: 'New York',
  state: 'NY',
  postalCode: '10012',
  'tickets.0.ticketName': 'Floor',
  'tickets.0.ticketDescription': 'Standing',
  'tickets.0.ticketPrice': '40.50',
  'tickets.0.ticketQuantity': '30',
};
