/** Check-in hours: optional, from at most 12 hours before the start until at most 24 hours after the end. */
import { CLOSES_HOURS_AFTER_END, CLOSES_HOURS_AFTER_END_MAX, EARLY_CHECK_IN_HOURS } from './limits.ts';
import { type AdmissionDenial, denyAdmission, type TicketAtDoor } from './tickets.ts';

const HOUR = 60 * 60 * 1000;

interface EventTimes {
  startsAt: Date;
  endsAt: Date;
}

/** What the organizer sets. Both null: tickets are checked in at any time. */
export interface SetHours {
  checkInOpensAt: Date | null;
  checkInClosesAt: Date | null;
}

/** `[opensAt, closesAt)`; both null without hours. */
export interface CheckInHours {
  opensAt: Date | null;
  closesAt: Date | null;
}

const hoursAfter = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR);
const earlier = (one: Date, other: Date) => (one < other ? one : other);
const later = (one: Date, other: Date) => (one > other ? one : other);

export function checkInHours(event: EventTimes & SetHours): CheckInHours {
  const { startsAt, endsAt, checkInOpensAt, checkInClosesAt } = event;
  if (!checkInOpensAt && !checkInClosesAt) return { opensAt: null, closesAt: null };
  return {
    opensAt: checkInOpensAt ?? hoursAfter(startsAt, -EARLY_CHECK_IN_HOURS),
    closesAt: checkInClosesAt ?? hoursAfter(endsAt, CLOSES_HOURS_AFTER_END),
  };
}

/** For buyers: an opening that the organizer chose. The earliest one is the form's proposal, and says nothing of the doors. */
export function doorsOpenAt({ startsAt, checkInOpensAt }: Pick<EventTimes & SetHours, 'startsAt' | 'checkInOpensAt'>) {
  return checkInOpensAt && checkInOpensAt > hoursAfter(startsAt, -EARLY_CHECK_IN_HOURS) ? checkInOpensAt : null;
}

export type HoursDenial = 'opens-too-early' | 'opens-after-closing' | 'closes-out-of-range';

export function denyHours(event: EventTimes & SetHours): HoursDenial | null {
  const { startsAt, endsAt, checkInOpensAt, checkInClosesAt } = event;
  if (checkInOpensAt && checkInOpensAt < hoursAfter(startsAt, -EARLY_CHECK_IN_HOURS)) return 'opens-too-early';
  if (
    checkInClosesAt &&
    (checkInClosesAt < startsAt || checkInClosesAt > hoursAfter(endsAt, CLOSES_HOURS_AFTER_END_MAX))
  )
    return 'closes-out-of-range';
  const { opensAt, closesAt } = checkInHours(event);
  return opensAt && closesAt && opensAt > closesAt ? 'opens-after-closing' : null;
}

/** Hours that are not edited keep their distance to start and end when those move, within what is allowed. */
export function moveHours(hours: SetHours, from: EventTimes, to: EventTimes): SetHours {
  const moved = (at: Date | null, was: Date, is: Date) => at && new Date(at.getTime() + is.getTime() - was.getTime());
  const closing = moved(hours.checkInClosesAt, from.endsAt, to.endsAt);
  const checkInClosesAt =
    closing && later(to.startsAt, earlier(closing, hoursAfter(to.endsAt, CLOSES_HOURS_AFTER_END_MAX)));
  const opening = moved(hours.checkInOpensAt, from.startsAt, to.startsAt);
  const { closesAt } = checkInHours({ ...to, checkInOpensAt: opening, checkInClosesAt });
  return { checkInOpensAt: opening && closesAt && earlier(opening, closesAt), checkInClosesAt };
}

/** Hours of a copy on a night with a clock change, an hour longer or shorter by the clock on the wall, cut to what is allowed. */
export function withinHours({ checkInOpensAt, checkInClosesAt }: SetHours, { startsAt, endsAt }: EventTimes): SetHours {
  return {
    checkInOpensAt: checkInOpensAt && later(checkInOpensAt, hoursAfter(startsAt, -EARLY_CHECK_IN_HOURS)),
    checkInClosesAt:
      checkInClosesAt && later(startsAt, earlier(checkInClosesAt, hoursAfter(endsAt, CLOSES_HOURS_AFTER_END_MAX))),
  };
}

export type ClosedDenial = 'not-open' | 'closed';

export function denyByHours({ opensAt, closesAt }: CheckInHours, at: Date): ClosedDenial | null {
  if (opensAt && at < opensAt) return 'not-open';
  return closesAt && at >= closesAt ? 'closed' : null;
}

/** Why a ticket does not admit at this time. The hours come before the ticket's own reasons. */
export function denyScan(ticket: TicketAtDoor, hours: CheckInHours, at: Date): AdmissionDenial | ClosedDenial | null {
  if (ticket.cancelledAt) return 'event-cancelled';
  return denyByHours(hours, at) ?? denyAdmission(ticket);
}
