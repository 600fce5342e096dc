/** Schedule rules: when an event may take place, and when it can be edited or cancelled. */

export type ScheduleDenial = 'start-in-past' | 'end-before-start' | 'too-long';

const DAY = 24 * 60 * 60 * 1000;
export const EVENT_DAYS_MAX = 366;

export function denySchedule(
  schedule: { startsAt: Date; endsAt: Date },
  now: Date,
  { mayStartInPast }: { mayStartInPast: boolean },
): ScheduleDenial | null {
  if (!mayStartInPast && schedule.startsAt <= now) return 'start-in-past';
  if (schedule.endsAt < schedule.startsAt) return 'end-before-start';
  if (schedule.endsAt.getTime() - schedule.startsAt.getTime() > EVENT_DAYS_MAX * DAY) return 'too-long';
  return null;
}

/** Why nothing about an event's tickets can change. */
export const EDIT_DENIALS = ['event-cancelled', 'event-paid-out'] as const;

export function denyAnyEdit(event: {
  cancelledAt: Date | null;
  isPaidOut: boolean;
}): (typeof EDIT_DENIALS)[number] | null {
  if (event.cancelledAt) return 'event-cancelled';
  return event.isPaidOut ? 'event-paid-out' : null;
}

export type EditDenial = (typeof EDIT_DENIALS)[number] | 'end-in-past';

/** Buyers and Stripe rely on the event as it was sold, so its end cannot move into the past. */
export function denyEdit(
  event: { endsAt: Date; cancelledAt: Date | null; isPaidOut: boolean; hasSales: boolean },
  newEnd: Date,
  now: Date,
): EditDenial | null {
  const denial = denyAnyEdit(event);
  if (denial) return denial;
  // An unchanged end may be in the past, so the texts of a past event stay editable.
  const isMoved = newEnd.getTime() !== event.endsAt.getTime();
  return event.hasSales && isMoved && newEnd <= now ? 'end-in-past' : null;
}

export interface DateAndVenue {
  street: string;
  city: string;
  state: string;
  postalCode: string;
  venueName: string | null;
  timezone: string;
  startsAt: Date;
  endsAt: Date;
}

export type AnnouncedChange = 'date' | 'venue' | 'date-and-venue';

type PlaceOfEvent = Pick<DateAndVenue, 'street' | 'city' | 'state' | 'postalCode' | 'venueName'>;

/** Naming the same place for the first time, or no longer, is not a move. */
export function isMoved(before: PlaceOfEvent, next: PlaceOfEvent): boolean {
  const isRenamed = before.venueName !== null && next.venueName !== null && before.venueName !== next.venueName;
  return (
    isRenamed || (['street', 'city', 'state', 'postalCode'] as const).some((field) => before[field] !== next[field])
  );
}

/** What buyers are emailed about; null if nothing. Moving the map pin does not count. */
export function announcedChange(before: DateAndVenue, next: DateAndVenue): AnnouncedChange | null {
  const hasNewVenue = isMoved(before, next);
  const hasNewDate =
    before.startsAt.getTime() !== next.startsAt.getTime() ||
    before.endsAt.getTime() !== next.endsAt.getTime() ||
    before.timezone !== next.timezone;
  if (hasNewDate && hasNewVenue) return 'date-and-venue';
  if (hasNewDate) return 'date';
  return hasNewVenue ? 'venue' : null;
}

export type CancelDenial = 'event-paid-out' | 'nothing-sold';

/** A past event that never sold has nothing to refund. */
export function denyCancel(
  event: { endsAt: Date; isPaidOut: boolean; hasEverSold: boolean },
  now: Date,
): CancelDenial | null {
  if (event.isPaidOut) return 'event-paid-out';
  return now >= event.endsAt && !event.hasEverSold ? 'nothing-sold' : null;
}
