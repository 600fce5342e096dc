import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import type { PageRequest } from '#contract/rendered-page.ts';
import { FEW_LEFT_MAX, leftAtMost } from '#domain/availability.ts';
import { localTimeWithOffset } from '#domain/local-time.ts';
import { isSoldOut } from '#domain/order.ts';
import type { PageHead } from '#web/page-head.ts';
import { formatMoment } from '#web/ui/data/format.ts';

/** The event page's metadata. An unavailable event gets no canonical URL; a cancelled one tells search engines so. */
export function eventHead({ props, cancelledEvent, isUnlisted, publicUrl }: PageRequest): PageHead {
  const reply = props.event?.reply ?? { msg: '' };
  if ('msg' in reply) {
    return {
      title: reply.msg,
      description: reply.msg,
      canonical: null,
      ...(cancelledEvent ? { structuredData: [eventJsonLd(cancelledEvent, publicUrl, 'EventCancelled')] } : {}),
    };
  }
  return {
    title: reply.title,
    description: descriptionOf(reply),
    canonical: isUnlisted ? null : pathOf(reply),
    image: { path: `/og/${reply.eventId}.png`, alt: `${reply.title}, ${whenOf(reply)}` },
    structuredData: [eventJsonLd(reply, publicUrl, 'EventScheduled')],
  };
}

const DESCRIPTION_LENGTH_MAX = 160;

function descriptionOf(event: PublicEvent): string {
  const text = `${whenOf(event)}, ${event.city}, ${event.state}. ${event.description}`.replace(/\s+/g, ' ');
  return text.length <= DESCRIPTION_LENGTH_MAX ? text : `${text.slice(0, DESCRIPTION_LENGTH_MAX - 1).trimEnd()}…`;
}

const whenOf = (event: PublicEvent) => formatMoment(event.startDate_startTime, event.timezone);
const pathOf = (event: PublicEvent) => `/payment/${event.eventId}`;

/** schema.org/Event, as search engines ask for it: times with the offset of the event's own place. */
function eventJsonLd(event: PublicEvent, publicUrl: string, status: 'EventScheduled' | 'EventCancelled'): object {
  const url = publicUrl + pathOf(event);
  const cover = event.coverPhoto ?? 0;
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    url,
    startDate: localTimeWithOffset(new Date(event.startDate_startTime), event.timezone),
    ...(event.doorsOpenAt && { doorTime: localTimeWithOffset(new Date(event.doorsOpenAt), event.timezone) }),
    endDate: localTimeWithOffset(new Date(event.endDate_endTime), event.timezone),
    eventStatus: `https://schema.org/${status}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    description: event.description,
    image: [
      ...event.eventPhotos.slice(cover),
      ...event.eventPhotos.slice(0, cover),
      `${publicUrl}/og/${event.eventId}.png`,
    ],
    location: {
      '@type': 'Place',
      name: event.venueName ?? `${event.street}, ${event.city}`,
      address: {
        '@type': 'PostalAddress',
        streetAddress: event.street,
        addressLocality: event.city,
        addressRegion: event.state,
        postalCode: event.postalCode,
        addressCountry: 'US',
      },
      geo: { '@type': 'GeoCoordinates', latitude: event.latitude, longitude: event.longitude },
    },
    organizer: {
      '@type': 'Organization',
      name: event.organizationName ?? 'Handstamp',
      url: event.organizerSlug ? `${publicUrl}/o/${event.organizerSlug}` : url,
    },
    offers: status === 'EventCancelled' ? [] : offersOf(event, url),
  };
}

/** To come in: an add-on is none. */
const offersOf = (event: PublicEvent, url: string) =>
  event.tickets.filter(({ isAddOn }) => !isAddOn).map((ticket) => offerOf(ticket, event, url));

function offerOf(ticket: TicketType, { salesStartAt }: PublicEvent, url: string): object {
  // Both in UTC, so that their texts sort like the times.
  const validFrom = [salesStartAt, ticket.salesFrom]
    .filter((at) => at !== undefined)
    .sort()
    .at(-1);
  return {
    '@type': 'Offer',
    name: ticket.ticketName,
    price: ticket.ticketPrice.toFixed(2),
    priceCurrency: 'USD',
    availability: `https://schema.org/${availabilityOf(ticket)}`,
    ...(validFrom && { validFrom }),
    ...(ticket.salesUntil && { validThrough: ticket.salesUntil }),
    url,
  };
}

function availabilityOf(ticket: TicketType): string {
  const { available, closed } = ticket;
  if (isSoldOut(leftAtMost(available), ticket) || closed === 'over') return 'SoldOut';
  if (closed) return 'PreOrder';
  return available <= FEW_LEFT_MAX ? 'LimitedAvailability' : 'InStock';
}
