import { organizerPage } from '#messages/sales/organizer-page.ts';
import { calendarOf } from '#server/emails/templates/tickets.ts';
import type { OrganizerSnapshot } from '#server/events/organizer-page/read-organizer-page.ts';
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

/** The page of an organization, and the calendar that it offers. */
export function organizerRenderers(pages: Pages | null, publicUrl: string) {
  return {
    page:
      pages &&
      (({ page }: OrganizerSnapshot) =>
        pages.render({ path: `/o/${page.slug}`, publicUrl, props: { organizer: page } })),
    calendar({ page: { slug, name }, events, now }: OrganizerSnapshot) {
      const feed = { name: organizerPage.calendarName(name), url: `${publicUrl}/o/${slug}/calendar.ics` };
      return calendarOf(events, { publicUrl, now, feed });
    },
  };
}
