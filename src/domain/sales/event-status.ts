/** Where an event stands, in one word. */

export const eventStatuses = [
  'draft',
  'scheduled',
  'on-sale',
  'sold-out',
  'paused',
  'today',
  'ended',
  'paid-out',
  'cancelled',
] as const;

export type EventStatus = (typeof eventStatuses)[number];

export interface EventStanding {
  isDraft: boolean;
  isCancelled: boolean;
  isPaidOut: boolean;
  startsAt: Date;
  endsAt: Date;
  /** Scheduled start of sales, if any. */
  salesStartAt: Date | null;
  /** Sales of all tickets are paused. */
  isPaused: boolean;
  isSoldOut: boolean;
}

/** The door is set up on the day. An evening's event is *today* from the morning on. */
const TODAY_HOURS = 12;
const HOUR = 60 * 60 * 1000;

export function eventStatus(event: EventStanding, now: Date): EventStatus {
  if (event.isCancelled) return 'cancelled';
  if (event.isDraft) return 'draft';
  if (event.isPaidOut) return 'paid-out';
  if (now >= event.endsAt) return 'ended';
  if (event.isPaused) return 'paused';
  if (now.getTime() >= event.startsAt.getTime() - TODAY_HOURS * HOUR) return 'today';
  if (event.salesStartAt && now < event.salesStartAt) return 'scheduled';
  return event.isSoldOut ? 'sold-out' : 'on-sale';
}

/** Lists of events. Those that have ended are past. */
export const eventGroups = ['upcoming', 'drafts', 'past', 'cancelled'] as const;

export type EventGroup = (typeof eventGroups)[number];
