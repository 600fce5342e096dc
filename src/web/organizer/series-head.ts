import type { PageRequest } from '#contract/rendered-page.ts';
import { localTimeWithOffset } from '#domain/local-time.ts';
import { placeLine } from '#messages/format.ts';
import { seriesPage as text } from '#messages/sales/organizer-page.ts';
import type { PageHead } from '#web/page-head.ts';

/** The metadata of a series. Without a listed coming date it is kept out of search results. */
export function seriesHead({ props: { series }, publicUrl, isUnlisted }: PageRequest): PageHead {
  if (!series) return { title: '', description: '', canonical: null };
  const { seriesId, title, organizer, cover, venue, dates } = series;
  const [first] = dates;
  const last = dates.at(-1);
  const path = `/series/${seriesId}`;
  const on = dates.filter(({ sale }) => sale !== 'cancelled').length;
  return {
    title,
    description: on > 0 ? text.description(on, title, organizer.name) : text.nothingComing(title),
    canonical: isUnlisted ? null : path,
    image: { path: `/og/${cover.eventId}.png`, alt: title },
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'EventSeries',
        name: title,
        url: publicUrl + path,
        ...(first && last && { startDate: localOf(first), endDate: localOf(last) }),
        ...(venue && {
          location: {
            '@type': 'Place',
            name: venue.venueName ?? placeLine(venue),
            address: {
              '@type': 'PostalAddress',
              streetAddress: venue.street,
              addressLocality: venue.city,
              addressRegion: venue.state,
              addressCountry: 'US',
            },
          },
        }),
        organizer: {
          '@type': 'Organization',
          name: organizer.name ?? 'Handstamp',
          ...(organizer.slug && { url: `${publicUrl}/o/${organizer.slug}` }),
        },
      },
    ],
  };
}

const localOf = ({ startsAt, timezone }: { startsAt: string; timezone: string }) =>
  localTimeWithOffset(new Date(startsAt), timezone);
