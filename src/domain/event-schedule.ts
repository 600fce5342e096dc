/** When an event may take place, and what can be done with it at a given moment. */

export type ScheduleDenial = 'start-in-past' | 'end-before-start' | 'too-long';

const DAY = 24 * 60 * 60 * 1000;
export const LONGEST_EVENT_DAYS = 366;

export function denySchedule(
  schedule: { startsAt: Date; endsAt: Date },
  now: Date,
  { mayStartInPast }: { mayStartInPast: boolean },
): ScheduleDenial | null {
  if (!mayStartInPast && schedule.startsAt <= now) return 'start-in-past';
  if (schedule.endsAt < schedule.startsAt) return 'end-before-start';
  if (schedule.endsAt.getTime() - schedule.startsAt.getTime() > LONGEST_EVENT_DAYS * DAY) return 'too-long';
  return null;
}

export type SaleDenial = 'event-cancelled' | 'event-ended';

/** Tickets sell until the event ends: people also buy at the door. */
export function denySale(event: { endsAt: Date; cancelledAt: Date | null }, now: Date): SaleDenial | null {
  if (event.cancelledAt) return 'event-cancelled';
  if (now >= event.endsAt) return 'event-ended';
  return null;
}

export type EditDenial = 'event-cancelled' | 'event-paid-out' | 'end-in-past';

/** Buyers and the card company rely on what an event was when its tickets were sold. */
export function denyEdit(
  event: { endsAt: Date; cancelledAt: Date | null; isPaidOut: boolean; hasSales: boolean },
  newEnd: Date,
  now: Date,
): EditDenial | null {
  if (event.cancelledAt) return 'event-cancelled';
  if (event.isPaidOut) return 'event-paid-out';
  // An end that stays where it was may be in the past: then only words are edited.
  const isMoved = newEnd.getTime() !== event.endsAt.getTime();
  return event.hasSales && isMoved && newEnd <= now ? 'end-in-past' : null;
}

export type CancelDenial = 'event-paid-out' | 'nothing-sold';

/** An event that ended without sales has no buyers to refund, and keeps its place among those that took place. */
export function denyCancel(
  event: { endsAt: Date; isPaidOut: boolean; hasEverSold: boolean },
  now: Date,
): CancelDenial | null {
  if (event.isPaidOut) return 'event-paid-out';
  return now >= event.endsAt && !event.hasEverSold ? 'nothing-sold' : null;
}
