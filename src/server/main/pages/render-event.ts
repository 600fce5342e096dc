import type { RenderEvent } from '#server/events/page/page-cache.ts';
import type { Pages } from './page.ts';

/** Renders an event's page, with one canonical path for every spelling of its URL. */
export function renderEvent(pages: Pages, publicUrl: string): RenderEvent {
  return (eventId, { reply, saleDenial, publicEvent }) =>
    pages.render({
      path: `/payment/${eventId}`,
      publicUrl,
      props: { event: { eventId, reply } },
      ...(saleDenial === 'event-cancelled' ? { cancelledEvent: publicEvent } : {}),
    });
}
