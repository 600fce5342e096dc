/** The public page of an organization. */
import { formatCents } from '../format.ts';

export const organizerPage = {
  description: (name: string) => `Coming events of ${name}, with tickets.`,
  coming: 'Coming events',
  empty: 'No coming events.',
  calendar: 'Subscribe in your calendar',
  contact: 'Contact the organizer',
  logo: (name: string) => `Logo of ${name}`,
  price: (fromCents: number, hasOnePrice: boolean) => {
    const price = fromCents === 0 ? 'Free' : formatCents(fromCents);
    return hasOnePrice ? price : `From ${price.toLowerCase()}`;
  },
  sale: {
    'on-sale': 'On sale',
    'few-left': 'Few left',
    'sold-out': 'Sold out',
    paused: 'Sales paused',
  },
  opens: (when: string) => `On sale ${when}`,
  soon: 'On sale soon',
  calendarName: (name: string) => `${name}: events`,
};
