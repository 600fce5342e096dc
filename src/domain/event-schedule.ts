/** When an event may take place, and what can be done with it at a given moment. */

export type ScheduleObstacle = 'start-in-past' | 'end-before-start' | 'too-long';

const DAY = 24 * 60 * 60 * 1000;
export const LONGEST_EVENT_DAYS = 366;

export function scheduleObstacle(
  schedule: { startsAt: Date; endsAt: Date },
  now: Date,
  { mayStartInPast }: { mayStartInPast: boolean },
): ScheduleObstacle | null {
  if (!mayStartInPast && schedule.startsAt <= now) return 'start-in-past';
  if (schedule.endsAt < schedule.startsAt) return 'end-before-start';
  if (schedule.endsAt.getTime() - schedule.startsAt.getTime() > LONGEST_EVENT_DAYS * DAY) return 'too-long';
  return null;
}

export type SalesObstacle = 'event-cancelled' | 'event-ended';

/** Tickets sell until the event ends: people also buy at the door. */
export function salesObstacle(event: { endsAt: Date; cancelledAt: Date | null }, now: Date): SalesObstacle | null {
  if (event.cancelledAt) return 'event-cancelled';
  if (now >= event.endsAt) return 'event-ended';
  return null;
}
