/** The *Tickets* screen of an event: when each ticket type sells, and how many of it one order takes. */
import { formatCents, formatCount } from '../format.ts';
import { limitFields } from './order-limits.ts';

export const ticketsUpdated = 'Tickets saved';

/** Buttons next to a number of tickets. */
export const quantitySteps = { less: 'One less', more: 'One more' };

export const ticketSettings = {
  ...limitFields,
  title: 'Tickets',
  back: 'Your events',
  view: 'View page',
  lead: 'What you sell, when, and how many each order can include.',
  order: 'Every order',
  types: 'Ticket types',
  name: 'Name',
  price: 'Price',
  minimumPrice: 'Minimum price',
  named: 'Buyers name the price',
  namedHint: 'They pay what they like, but at least the minimum, which can be 0. Promo codes give no discount on it.',
  suggestedPrice: 'Suggested price',
  suggestedPriceHint: 'Optional. Buyers can change it.',
  wanted: 'You want to receive',
  wantedHint: 'Optional. Fills in the price.',
  quantity: 'Quantity',
  description: 'Description',
  repeated: 'Allow more than one free order per email',
  repeatedHint: 'Otherwise, each email address can get free tickets in one order only.',
  transfers: 'Allow tickets to be transferred',
  transfersHint: 'Until the event starts, a ticket can go to another email address up to 3 times.',
  salesFrom: 'On sale from',
  salesFromHint: "Leave blank to sell as soon as the event's sales open.",
  salesUntil: 'On sale until',
  salesUntilHint: 'Leave blank to sell until the event ends.',
  opensAfter: 'Opens after',
  opensAfterHint: 'Goes on sale once that type sells out or its sales end.',
  opensAtOnce: 'None (opens right away)',
  access: 'Accessible',
  accessHint: 'Its card on your event page says so and links to your contact form. Buyers need no proof.',
  accessKinds: {
    none: 'No',
    alone: 'Yes',
    companion: 'Yes, with a free ticket for a companion',
  },
  addOn: 'Add-on',
  addOnHint:
    'Something to hand out at the door, such as a T-shirt. It lets no one in, and the limit for every order leaves it out.',
  hidden: 'Hidden',
  hiddenHint: 'Sold only with a promo code that unlocks it.',
  /** `zone` is a time zone such as `Eastern Time`. */
  zone: (zone: string) => `All times are in ${zone}.`,
  ticket: (row: number) => `Ticket ${row}`,
  remove: 'Remove',
  removeTicket: (row: number) => `Remove ticket ${row}`,
  add: 'Add ticket type',
  capacities: 'Shared capacity',
  noCapacities: 'Each ticket type has its own quantity. Add a shared capacity when types use the same seats.',
  capacitiesLead: "Ticket types that use the same seats sell until the seats or the type's own quantity run out.",
  capacity: (row: number) => `Shared capacity ${row}`,
  capacityName: 'Name',
  seats: 'Seats',
  seatsPer: (ticket: string) => `Seats per ${ticket} ticket`,
  seatsPerHint: 'Leave blank if it uses none.',
  addCapacity: 'Add shared capacity',
  removeCapacity: (row: number) => `Remove shared capacity ${row}`,
  taken: (taken: number, of: number) => `${formatCount(taken)} of ${formatCount(of)} seats are sold or in a checkout.`,
  save: 'Save tickets',
  discard: 'Load the latest',
  saveAnyway: 'Save mine anyway',
  discardHint: 'Save yours to replace the other change, or load the latest version and lose what you typed here.',
  notSaved: "We couldn't save the tickets.",
  notLoaded: "We couldn't load the tickets.",
};

/** Of one ticket; `from`: how many paid tickets a large event has. */
interface Received {
  standard: number;
  large: number;
  from: number;
  /** Buyers name the price, so it can be more. */
  isLeast: boolean;
}

export function receivedNote({ standard, large, from, isLeast }: Received): string {
  const each = `You receive ${isLeast ? 'at least ' : ''}${formatCents(standard)} per ticket`;
  return large === standard
    ? `${each}.`
    : `${each}, or ${formatCents(large)} once you've sold ${formatCount(from)} paid tickets.`;
}
