/** The demo's events and sales. */
import type { EventForm } from '#contract/forms/event-form.ts';
import { instantOf } from '#domain/local-time.ts';
import { addDays, dayOf } from '#domain/sales/sales-days.ts';

export interface DemoEvent {
  title: string;
  form(now: Date): Omit<EventForm, 'title'>;
  sales: readonly DemoSale[];
}

interface DemoSale {
  email: string;
  name: string;
  cartItems: readonly { ticketName: string; quantity: number }[];
}

const ZONE = 'America/New_York';
const FRIDAY = 5;
const SATURDAY = 6;

const cooperage = {
  venueName: 'The Cooperage',
  street: '38 Withers St',
  city: 'Brooklyn',
  state: 'NY' as const,
  postalCode: '11211',
  timezone: ZONE,
  latitude: 40.7172,
  longitude: -73.9506,
} as const;

export const eventOnSale: DemoEvent = {
  title: 'Basement Brass',
  form: (now) => ({
    ...cooperage,
    ...evening(now, 12, FRIDAY),
    participants: '160',
    description:
      'Six horns, two drummers and one very low ceiling. The Basement Brass play second-line, boogaloo and whatever the room asks for, in two sets with a bar between them.\n\nDoors at 7:00 PM. All ages until 10:00 PM. The cellar is reached by stairs; write to us for the lift.',
    tickets: [
      ticket('General admission', 'Standing room, doors at 7:00 PM', 24, 150),
      ticket('Balcony', 'A seat with a view of the bells, first come first served', 38, 10),
    ],
  }),
  sales: [
    sale('Sam Rivera', [['General admission', 2]]),
    sale('Noor Haddad', [['Balcony', 2]]),
    sale('Theo Lindqvist', [
      ['General admission', 1],
      ['Balcony', 2],
    ]),
  ],
};

const noShow = sale('Robin Okafor', [['General admission', 1]]);

export const endedEvent: DemoEvent & { noShow: string } = {
  title: 'Tin Roof Swing',
  noShow: noShow.email,
  form: (now) => ({
    ...cooperage,
    ...evening(now, 20, SATURDAY),
    participants: '80',
    description: 'A nine-piece swing band, a sprung floor, and a free lesson for beginners before the first set.',
    tickets: [
      ticket('General admission', 'Lesson and both sets', 18, 70),
      ticket('Friend of the house', 'A seat at the front and a drink', 45, 10),
    ],
  }),
  sales: [
    sale('Maya Chen', [['General admission', 2]]),
    sale('Ines Duarte', [['Friend of the house', 2]]),
    sale('Paul Novak', [['General admission', 3]]),
    noShow,
  ],
};

export const cancelledEvent: DemoEvent = {
  title: 'Rooftop Film Night',
  form: (now) => ({
    ...cooperage,
    ...evening(now, 30, FRIDAY),
    participants: '60',
    description: 'A silent film with a live score, on the roof. Cancelled: the roof is being repaired.',
    tickets: [ticket('Deck chair', 'Blanket included', 15, 60)],
  }),
  sales: [],
};

/** Date of the ended event, three to nine days ago. */
export function lastSaturday(now: Date): { startsAt: Date; endsAt: Date } {
  const { startDate_startTime, endDate_endTime } = evening(now, -9, SATURDAY);
  return { startsAt: instant(startDate_startTime), endsAt: instant(endDate_endTime) };
}

/** 8:00 to 11:30 PM on the first such weekday at least `days` from now. */
function evening(now: Date, days: number, weekday: number) {
  const dates = Array.from({ length: 7 }, (_, day) => addDays(dayOf(now, ZONE), days + day));
  const date = dates.find((one) => new Date(`${one}T12:00:00Z`).getUTCDay() === weekday);
  return { startDate_startTime: `${date}T20:00`, endDate_endTime: `${date}T23:30` };
}

function instant(local: string): Date {
  const at = instantOf(local, ZONE, 'earlier');
  if (at instanceof Date) return at;
  throw new RangeError(`${local} does not exist in ${ZONE}`);
}

function ticket(ticketName: string, ticketDescription: string, ticketPrice: number, ticketQuantity: number) {
  return { ticketName, ticketDescription, ticketPrice, ticketQuantity };
}

function sale(name: string, lines: readonly (readonly [ticketName: string, quantity: number])[]): DemoSale {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  return { email, name, cartItems: lines.map(([ticketName, quantity]) => ({ ticketName, quantity })) };
}
