import { eventCancelled, eventEnded, eventNotFound, type PublicEvent } from '#contract/events.ts';
import { type SalesObstacle, salesObstacle } from '#domain/event-schedule.ts';
import type { Deps } from '#server/deps.ts';
import { listPhotos } from '#server/photos/list-photos.ts';
import { notFound } from '#server/refusal.ts';
import { publicEventReply } from './events.replies.ts';
import { publicEventRow, ticketTypeRows } from './events.sql.ts';

const UNAVAILABLE: Record<SalesObstacle, string> = { 'event-cancelled': eventCancelled, 'event-ended': eventEnded };

export async function readPublicEvent(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  eventId: string,
): Promise<PublicEvent | { msg: string }> {
  const event = await publicEventRow(deps.db, eventId);
  if (!event) throw notFound(eventNotFound);
  const obstacle = salesObstacle(event, event.now);
  if (obstacle) return { msg: UNAVAILABLE[obstacle] };

  const types = await ticketTypeRows(deps.db, [eventId]);
  const photosOf = await listPhotos(deps, [eventId]);
  return publicEventReply({ event, types, photos: photosOf(eventId) }, event);
}
