/** Events: their page, and creating, editing and cancelling them. */
import type { AnnouncedChange } from '#domain/event-schedule.ts';
import {
  CLOSES_HOURS_AFTER_END,
  EARLY_CHECK_IN_HOURS,
  PAGE_VERSIONS_PER_DAY_MAX,
  RESCHEDULES_PER_DAY_MAX,
} from '#domain/limits.ts';
import { BUYERS, formatDollars, plural } from './format.ts';
import { eventNotFound } from './sales/event-page.ts';

export const eventUpdated = 'Event Updated';

export const eventCancelledByOrganizer = 'Event cancelled successfully';

export const ticketsRefunded = "Every ticket is refunded in full, even if it was scanned. We'll email your buyers.";

/** Where organizers bear Stripe's fees on refunds. */
export const cancelCosts = (dollars: number) =>
  `Stripe keeps its card fees. Up to ${formatDollars(dollars)} comes out of your next payout.`;

export const announcedChanges: Record<AnnouncedChange, string> = {
  date: 'date',
  venue: 'location',
  'date-and-venue': 'date and location',
};

export const saveAndEmail = 'Save and email them';
export const keepEditing = 'Keep editing';

const SEATS = { one: '# seat', other: '# seats' };

export const eventErrors = {
  'capacity.below-reserved': ({ name, reserved }: { name: string; reserved: number }) =>
    `${name} needs at least ${plural(reserved, SEATS)} for the tickets that are sold or in a checkout.`,
  'address.not-found': "We couldn't place this address. Check the postal code, or set the pin yourself.",
  'cancel.event-paid-out': "This event was paid out, so it can't be cancelled.",
  'cancel.nothing-sold': "This event ended without sales, so there's nothing to cancel.",
  /** Not saved yet: the organizer confirms it first. */
  'edit.emails-buyers': ({ buyers, about }: { buyers: number; about: AnnouncedChange }) =>
    `Saving emails ${plural(buyers, BUYERS)} about the new ${announcedChanges[about]}.`,
  'edit.end-in-past': "This event has sales, so it can't end in the past.",
  'edit.event-cancelled': "A cancelled event can't be edited.",
  'edit.event-paid-out': "This event was paid out, so it can't be edited.",
  'edit.changed-too-often': `You can change what the page shows ${PAGE_VERSIONS_PER_DAY_MAX} times a day.`,
  'edit.moved-too-often': `You can change the date or location of an event with sales ${RESCHEDULES_PER_DAY_MAX} times a day, since every change emails your buyers.`,
  'edit.add-on-sold': ({ name }: { name: string }) =>
    `${name} is sold or in a checkout, so you can't turn "Add-on" on or off.`,
  'edit.quantity-below-sold': ({ name, reserved }: { name: string; reserved: number }) =>
    plural(reserved, {
      one: `# ${name} ticket is sold or being bought, so you can't go lower.`,
      other: `# ${name} tickets are sold or being bought, so you can't go lower.`,
    }),
  'edit.sales-started': "Tickets have already sold, so you can't change when sales start.",
  'edit.sold-type-removed': ({ name }: { name: string }) => `${name} has sales, so it can't be removed.`,
  /** The edit is based on an outdated version. */
  'event.changed': "This event has changed since you opened it, so your changes aren't saved yet.",
  'event.not-found': eventNotFound,
  'event.referred-before': "You've already used your affiliate code. It's one per organizer.",
  'event.too-many-active-events': ({ max }: { max: number }) =>
    `Your plan includes ${plural(max, { one: '# active event', other: '# active events' })}. You can add another when one ends.`,
  'event.unknown-affiliate-code': "This affiliate code isn't valid.",
};

export const checkInHoursFields = {
  title: 'Check-in hours',
  opens: 'Check-in opens',
  closes: 'Check-in closes',
  anyTime: 'Optional. Leave both blank to check in tickets at any time.',
  optional: 'Optional.',
  opensByDefault: `Blank: ${EARLY_CHECK_IN_HOURS} hours before the start.`,
  closesByDefault: `Blank: ${CLOSES_HOURS_AFTER_END} hours after the end.`,
  propose: `Open ${EARLY_CHECK_IN_HOURS} hours before the start`,
};

/** Where another window saved first. */
export const onlyTicketSettingsChanged =
  "Only settings on the Tickets page were changed. Saving your edit doesn't undo them. Loading the latest version discards what you typed here.";
