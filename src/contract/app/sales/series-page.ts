/** The public page of a series. */
import type { Focus } from '#domain/sales/photos.ts';
import type { ListedSale } from './organizer-page.ts';

export interface SeriesVenue {
  street: string;
  city: string;
  state: string;
  venueName: string | null;
}

export interface SeriesDate extends Omit<ListedSale, 'sale'> {
  eventId: string;
  subtitle: string | null;
  timezone: string;
  /** UTC. */
  startsAt: string;
  /** Null where all dates are at one venue, which the page names. */
  venue: SeriesVenue | null;
  sale: ListedSale['sale'] | 'cancelled';
}

/** What `/series/{id}` shows. */
export interface SeriesPage {
  seriesId: string;
  title: string;
  /** Null where the dates' descriptions differ. */
  description: string | null;
  organizer: {
    name: string | null;
    /** Null without a page. */
    slug: string | null;
  };
  look: string | null;
  /** The next date's cover, else its poster. */
  cover: { eventId: string; photo: string | null; photoFocus?: Focus };
  venue: SeriesVenue | null;
  /** Coming ones, soonest first. */
  dates: SeriesDate[];
}
