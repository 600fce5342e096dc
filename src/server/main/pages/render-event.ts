import { organizerPage } from '#messages/sales/organizer-page.ts';
import { calendarOf } from '#server/emails/templates/tickets.ts';
import type { ListingRenderers } from '#server/events/organizer-page/published-listings.ts';
import type { RenderEvent } from '#server/events/page/page-cache.ts';
import type { Pages } from './page.ts';

/** Renders an event's page, with one canonical path for every spelling of its URL. */
export function renderEvent(pages: Pages, publicUrl: string): RenderEvent {
  return (eventId, { reply, saleDenial, publicEvent, isListed }) =>
    pages.render({
      path: `/payment/${eventId}`,
      publicUrl,
      props: { event: { eventId, reply } },
      ...(!isListed && { isUnlisted: true }),
      ...(saleDenial === 'event-cancelled' ? { cancelledEvent: publicEvent } : {}),
    });
}

/** Its tickets, as a page for a frame on other websites. */
export function renderEmbed(pages: Pages, publicUrl: string): RenderEvent {
  return (eventId, { reply }) =>
    pages.embed({ path: `/embed/${eventId}`, publicUrl, props: { event: { eventId, reply } } });
}

/** The pages of organizations and series, and the calendars that they offer. */
export function listingRenderers(pages: Pages | null, publicUrl: string): ListingRenderers {
  return {
    organizers: {
      page: pages && (({ page }) => pages.render({ path: `/o/${page.slug}`, publicUrl, props: { organizer: page } })),
      calendar({ of: { slug, name }, entries, now }) {
        const feed = { name: organizerPage.calendarName(name), url: `${publicUrl}/o/${slug}/calendar.ics` };
        return calendarOf(entries, { publicUrl, now, feed });
      },
    },
    series: {
      page:
        pages &&
        (({ page, isListed }) =>
          pages.render({
            path: `/series/${page.seriesId}`,
            publicUrl,
            props: { series: page },
            ...(!isListed && { isUnlisted: true }),
          })),
      calendar({ of: { seriesId, title }, entries, now }) {
        const feed = { name: title, url: `${publicUrl}/series/${seriesId}/calendar.ics` };
        return calendarOf(entries, { publicUrl, now, feed });
      },
    },
  };
}
