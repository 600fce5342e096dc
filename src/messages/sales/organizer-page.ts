/** The public pages of an organization and of a series. */
import { DATES, formatCents, plural } from '../format.ts';

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
    cancelled: 'Cancelled',
  },
  opens: (when: string) => `On sale ${when}`,
  soon: 'On sale soon',
  calendarName: (name: string) => `${name}: events`,
  more: (count: number) => plural(count, { one: '+ # more date', other: '+ # more dates' }),
};

export const seriesPage = {
  description: (dates: number, title: string, name: string | null) =>
    `${title}${name === null ? '' : ` by ${name}`}: tickets for ${plural(dates, DATES)}.`,
  nothingComing: (title: string) => `${title}: dates and tickets.`,
  by: 'by',
  about: 'About',
  allSoldOut: 'Every date is sold out.',
  allCancelled: 'Every date has been cancelled.',
  empty: 'No coming dates.',
  moreOf: (name: string) => `More from ${name}`,
};
