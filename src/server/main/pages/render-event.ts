import type { RenderEvent } from '#server/events/page/page-cache.ts';
import type { Pages } from './page.ts';

/** The page of an event, the same at whichever spelling of its address. */
export function renderEvent(pages: Pages, publicUrl: string): RenderEvent {
  return (eventId, { reply, saleDenial: obstacle, publicEvent: facts }) =>
    pages.draw({
      path: `/payment/${eventId}`,
      publicUrl,
      facts: { event: { eventId, reply } },
      ...(obstacle === 'event-cancelled' ? { cancelledEvent: facts } : {}),
    });
}
