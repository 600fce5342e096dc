/** Events: their page, and creating, editing and cancelling them. */
import type { CancelDenial, EditDenial } from '#domain/event-schedule.ts';
import { RESCHEDULES_PER_DAY_MAX } from '#domain/limits.ts';
import type { PlanDenial } from '#domain/plan.ts';
import { plural } from './plural.ts';

export const eventNotFound = 'Event not found';
export const eventCancelled = 'This event has been cancelled.';
export const eventEnded = 'This event has ended.';

export const eventUpdated = 'Event Updated';

export const eventCancelledByOrganizer = 'Event cancelled successfully';

export const editErrors: Record<EditDenial, string> = {
  'event-cancelled': "A cancelled event can't be edited.",
  'event-paid-out': "This event was paid out, so it can't be edited.",
  'end-in-past': "This event has sales, so it can't end in the past.",
};

/** Reply to an edit that is based on an outdated version. */
export const eventChanged = {
  code: 'event.changed',
  msg: "This event has changed since you opened it, so your changes aren't saved yet.",
} as const;

export const movedTooOften = `You can change the date or place of an event with sales ${RESCHEDULES_PER_DAY_MAX} times a day, because every change emails your buyers.`;

/** For a quantity below the number of sold and reserved tickets. */
export function quantityBelowSold(ticketName: string, reserved: number): string {
  return plural(reserved, {
    one: `# ${ticketName} ticket is sold or being bought, so you can't go lower.`,
    other: `# ${ticketName} tickets are sold or being bought, so you can't go lower.`,
  });
}

export function soldTicketRemoved(ticketName: string): string {
  return `${ticketName} has sales, so it can't be removed.`;
}

export const cancelErrors: Record<CancelDenial, string> = {
  'event-paid-out': "This event was paid out, so it can't be cancelled.",
  'nothing-sold': "This event ended without sales, so there's nothing to cancel.",
};

export const eventErrors: Record<PlanDenial | 'unknown-affiliate-code' | 'referred-before', string> = {
  'too-many-active-events': 'Your plan includes 2 active events. You can add another when one ends.',
  'unknown-affiliate-code': "This affiliate code isn't valid.",
  'referred-before': "You've already used your affiliate code. It's one per organizer.",
};

export const addressNotFound = "We couldn't place this address. Check the postal code, or set the pin yourself.";
