import { eventNotFound, type PublicEvent } from '#contract/events.ts';
import type { Deps } from '#server/deps.ts';
import { notFound } from '#server/refusal.ts';
import { readEventPage } from './read-event-page.ts';

export async function readPublicEvent(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  eventId: string,
): Promise<PublicEvent | { msg: string }> {
  const event = await readEventPage(deps, eventId);
  if (!event) throw notFound(eventNotFound);
  return event.reply;
}
