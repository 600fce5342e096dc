import { eventCancelled, eventEnded, type PublicEvent } from '#contract/events.ts';
import { denySale, type SaleDenial } from '#domain/event-schedule.ts';
import { publicEventReply } from '#server/events/events.replies.ts';
import { publicEventRow, ticketTypeRows } from '#server/events/events.sql.ts';
import { listPhotos } from '#server/events/photos/list-photos.ts';
import type { Deps } from '#server/platform/deps.ts';

const UNAVAILABLE: Record<SaleDenial, string> = { 'event-cancelled': eventCancelled, 'event-ended': eventEnded };

export interface EventOnRecord {
  /** All there is to tell, also of an event that is over or off: not everyone may be told. */
  facts: PublicEvent;
  /** Null while tickets sell. */
  obstacle: SaleDenial | null;
  /** What buyers are told. */
  reply: PublicEvent | { msg: string };
  /** The latest end that was ever sold: refunds and the payout count from it. */
  latestEndsAt: Date;
  now: Date;
  /** When time alone makes any of this untrue. */
  changesAt: Date | null;
}

const EVENT_ID = /^[\w-]{1,64}$/;

/** The event of an address that a person opened; null where there is none. */
export async function readEventPage(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  eventId: string,
): Promise<EventOnRecord | null> {
  const event = EVENT_ID.test(eventId) ? await publicEventRow(deps.db, eventId) : undefined;
  if (!event) return null;

  const [types, photosOf] = await Promise.all([ticketTypeRows(deps.db, [eventId]), listPhotos(deps, [eventId])]);
  const facts = publicEventReply({ event, types, photos: photosOf(eventId) }, event);
  const obstacle = denySale(event, event.now);
  return {
    facts,
    obstacle,
    reply: obstacle ? { msg: UNAVAILABLE[obstacle] } : facts,
    latestEndsAt: event.latestEndsAt,
    now: event.now,
    changesAt: obstacle ? null : nextOf([event.salesStartAt, event.endsAt], event.now),
  };
}

function nextOf(moments: readonly (Date | null)[], now: Date): Date | null {
  const ahead = moments.filter((moment) => moment !== null && moment > now).map(Number);
  return ahead.length > 0 ? new Date(Math.min(...ahead)) : null;
}
