/** Brakes: what an operator stops, and what the organizer and buyers read about it. */
import { supportMailbox } from '#messages/contacts.ts';
import { plural } from '#messages/format.ts';

export const brakeActions = [
  'stop-sales',
  'resume-sales',
  'suspend-organization',
  'resume-organization',
  'hold-payout',
  'release-payout',
] as const;

export type BrakeAction = (typeof brakeActions)[number];

interface BrakeTexts {
  label: string;
  /** Asked before the brake goes on or off. */
  question: string;
  done: string;
  /** Takes a brake off. */
  isRelease: boolean;
}

const startedPayments = 'Payments that have started still complete';

export const brakeTexts: Record<BrakeAction, BrakeTexts> = {
  'stop-sales': {
    label: 'Stop sales',
    question: `No checkout starts from now on. ${startedPayments}, and check-in and refunds go on.`,
    done: 'Sales are stopped. The owner was emailed.',
    isRelease: false,
  },
  'resume-sales': {
    label: 'Resume sales',
    question: 'Buyers can check out again. A waiting room goes on where it stood.',
    done: 'Sales are open again. The owner was emailed.',
    isRelease: true,
  },
  'suspend-organization': {
    label: 'Suspend',
    question: `Nothing of this organization is sold, edited or paid out from now on. ${startedPayments}, and check-in and refunds go on.`,
    done: 'The organization is suspended. The owner was emailed.',
    isRelease: false,
  },
  'resume-organization': {
    label: 'Lift the suspension',
    question: 'Sales, edits and payouts go on. Sales that you stopped for one event stay stopped.',
    done: 'The suspension is lifted. The owner was emailed.',
    isRelease: true,
  },
  'hold-payout': {
    label: 'Hold payouts',
    question:
      'No payout of this event is requested or sent from now on. A transfer that Stripe already has is not stopped.',
    done: 'Payouts of this event are on hold. The owner was emailed.',
    isRelease: false,
  },
  'release-payout': {
    label: 'Release payouts',
    question: 'What was requested is sent within minutes, and the rest can be requested.',
    done: 'Payouts of this event are released. The owner was emailed.',
    isRelease: true,
  },
};

export const brakeNote = { label: 'Reason', hint: 'The owner reads this in an email and on the profile.' };

export const searchTexts = {
  title: 'Find',
  label: 'Order, buyer, event or organizer',
  hint: 'Order number, email address, title, name, or an ID of ours or of Stripe’s.',
  submit: 'Search',
  braked: 'Stopped right now',
  nothingBraked: 'Nothing is stopped.',
  found: (q: string) => `Results for “${q}”`,
  notFound: (q: string) => `Nothing matches “${q}”.`,
  organizations: 'Organizations',
  unnamed: 'No name yet',
  events: 'Events',
  orders: 'Orders',
  order: 'Order',
  openInStripe: 'Open in Stripe',
  more: (count: number) => `${plural(count, { one: '# more', other: '# more' })}. Add a word to narrow it down.`,
  failed: "We couldn't search. Please try again.",
  /** Followed by the reason. */
  since: (at: string) => `Since ${at}.`,
};

/** States of an order. */
export const orderStateTexts = {
  reserved: 'Not paid yet',
  expired: 'Expired',
  paid: 'Paid',
  unfulfillable: 'Returned',
  'needs-review': 'Needs review',
} as const;

const goesOn = 'Check-in and refunds work as before.';
const questions = `Questions? Write to ${supportMailbox}.`;

/** On the organizer's card of a stopped event, with the operator's reason. */
export const stoppedByUs = (reason: string) => `Our reason: “${reason}” ${goesOn} ${questions}`;

export const organizationSuspended = 'Suspended';
export const payoutsHeld = 'Payouts on hold';
export const suspended = 'Your organization is suspended';
export const suspendedWhy = (reason: string) =>
  `Our reason: “${reason}” Until we lift it, nothing is sold, edited or paid out. ${goesOn} ${questions}`;

export const brakeErrors = {
  'org.suspended': ({ reason }: { reason: string }) => `${suspended}: “${reason}” ${questions}`,
  'org.unknown': 'No such organization.',
};

interface BrakeEmail {
  subject: string;
  what: string;
  effect: string;
}

const ticketsStay = `${startedPayments}. Tickets already sold stay valid, and check-in and refunds work as before.`;

/** @param about the title of the event, or the name of the organization */
export const brakeEmails: Record<BrakeAction, (about: string) => BrakeEmail> = {
  'stop-sales': (about) => ({
    subject: `${about}: sales are paused`,
    what: `We paused the sale of tickets to ${about}.`,
    effect: ticketsStay,
  }),
  'resume-sales': (about) => ({
    subject: `${about}: sales are open again`,
    what: `We no longer pause the sale of tickets to ${about}.`,
    effect: 'Buyers who waited keep their place.',
  }),
  'suspend-organization': (about) => ({
    subject: suspended,
    what: `We suspended ${about}: nothing is sold, edited or paid out until we lift it.`,
    effect: ticketsStay,
  }),
  'resume-organization': (about) => ({
    subject: 'Your organization is no longer suspended',
    what: `${about} can sell, edit and be paid again.`,
    effect: 'Payouts that waited are sent now.',
  }),
  'hold-payout': (about) => ({
    subject: `${about}: your payout is on hold`,
    what: `We put the payout of ${about} on hold.`,
    effect: 'Sales, check-in and refunds go on. Your money stays yours: we pay it as soon as the hold is lifted.',
  }),
  'release-payout': (about) => ({
    subject: `${about}: your payout is no longer on hold`,
    what: `We no longer hold the payout of ${about}.`,
    effect: 'If you requested it before, it is on its way. If not, you can request it as usual.',
  }),
};

export const yourOrganization = 'your organization';
