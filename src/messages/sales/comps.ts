/** Guests at no charge: their screen, their emails, and what the server answers about them. */
import type { FormProblem } from '#contract/forms/form-problem.ts';
import { COMPS_PER_CALL_MAX } from '#domain/limits.ts';
import { GUEST_NAME_MAX } from '#domain/sales/guest-form.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { formatCount, plural, TICKETS } from '../format.ts';
import { formText } from '../forms.ts';

interface Who {
  email: string | null;
  name: string | null;
}

const whoIs = ({ email, name }: Who): string => email ?? name ?? 'a guest';

export const compsPage = {
  title: 'Comps',
  back: 'Your events',
  lead: 'Add guests at no charge. Those with an email address get their tickets by email.',
  notLoaded: "We couldn't load the comps",
  closed: {
    'event-cancelled': 'This event was cancelled, so no guests can be added.',
    'event-paid-out': 'This event was paid out, so no guests can be added.',
    'event-ended': 'This event has ended, so no guests can be added.',
  },
  addTitle: 'Add guests',
  guests: 'Guests',
  guestsHint:
    'One per line: an email address, a name, or both, like Ada Cooper <ada@example.com>. Without an email address, they are on your guest list, and you let them in.',
  doorNote: 'Door note',
  doorNoteHint: 'Optional. Phones at the door show it once they let each of these guests in.',
  type: 'Ticket type',
  typeOption: (name: string, left: number) => `${name} (${formatCount(left)} left)`,
  quantity: 'Tickets each',
  raise: 'Also raise the quantity',
  raiseHint: 'If there are too few left, we raise the quantity by what is missing. Otherwise no one is added.',
  add: 'Add guests',
  adding: 'Adding…',
  notAdded: "We couldn't add the guests. Please try again.",
  listTitle: 'Guests at no charge',
  count: (count: number) => plural(count, { one: '# comp', other: '# comps' }),
  none: 'No comps yet.',
  caption: (title: string) => `Comps of ${title}`,
  guest: 'Guest',
  noEmail: 'No email address',
  number: 'Confirmation number',
  ticket: 'Ticket',
  state: 'State',
  states: {
    valid: 'Not here yet',
    scanned: 'Checked in',
    refunding: 'Withdrawn',
    refunded: 'Withdrawn',
    void: 'No longer valid',
    disputed: 'Not here yet',
  },
  withdraw: 'Withdraw',
  withdrawLabel: ({ confirmationNumber, ...guest }: Who & { confirmationNumber: string }) =>
    `Withdraw ${confirmationNumber} for ${whoIs(guest)}`,
  withdrawTitle: (ticketName: string, guest: Who) => `Withdraw the ${ticketName} ticket for ${whoIs(guest)}?`,
  withdrawWhy: (email: string | null) =>
    `The ticket stops working right away and can be sold. ${email === null ? 'Tell the guest: we have no email address of theirs.' : 'We email the guest.'}`,
  keep: 'Keep it',
  notWithdrawn: "We couldn't withdraw the comp. Please try again.",
  more: 'Load more',
};

/** What is wrong with a form of guests, by the lines where their list has them. */
export function typedGuestsProblem(problem: FormProblem): string {
  const { reason, expected } = problem;
  if (expected === undefined) return formText(problem);
  if (reason === 'guest-name.too-long') return `Line ${expected}: name must be ${GUEST_NAME_MAX} characters or less`;
  return expected
    .split('\n')
    .map((line) => `Line ${line} isn't an email address.`)
    .join(' ');
}

/** `unsent`: for guests without an address. */
export function compsAdded(tickets: number, unsent = 0): string {
  const sent = `${plural(tickets - unsent, { one: '# ticket is', other: '# tickets are' })} on the way to your guests.`;
  const kept = `${plural(unsent, { one: '# ticket is', other: '# tickets are' })} on your guest list only.`;
  if (unsent === 0) return sent;
  return unsent === tickets ? kept : `${sent} ${kept}`;
}

export const compWithdrawn = 'Withdrawn. We emailed the guest.';
export const compWithdrawnSilently = 'Withdrawn.';

const hostOf = (organizationName: string | null): string => organizationName ?? 'The organizer';

/** In the email with the tickets. */
export const compEmail = {
  subject: (title: string) => `${title}: you're on the guest list`,
  lead: (organizationName: string | null) =>
    `${hostOf(organizationName)} added you to the guest list. There's nothing to pay.`,
  price: 'Guest list',
};

export const compWithdrawnEmail = {
  subject: (title: string) => `Your ticket for ${title} was withdrawn`,
  preview: 'This ticket no longer works.',
  above: 'Guest list',
  text: (organizationName: string | null) =>
    `${hostOf(organizationName)} withdrew this ticket, so it no longer works. Any others are still good.`,
  questions: 'Questions? Please ask the organizer.',
};

export const compErrors = {
  'comp.already-withdrawn': 'This comp was already withdrawn.',
  'comp.already-scanned': "This guest was checked in, so the comp can't be withdrawn.",
  'comp.event-cancelled': 'This event was cancelled, so its comps have ended.',
  'comp.event-ended': 'This event has ended, so no guests can be added.',
  'comp.id-used': 'This request was already used for other guests.',
  'comp.quantity-too-high': ({ name, max }: { name: string; max: number }) =>
    `${name} can have ${formatCount(max)} tickets at most.`,
  'comp.too-few-left': ({ name, left }: { name: string; left: number }) =>
    left === 0 ? `No tickets left for ${name}.` : `Only ${plural(left, TICKETS)} left for ${name}.`,
  'comp.too-many': `At most ${COMPS_PER_CALL_MAX} tickets can be added at a time.`,
  'comp.too-many-today': ({ max }: { max: number }) =>
    `You can add ${formatCount(max)} tickets at no charge a day. Complete onboarding to add more, or try again tomorrow.`,
  'comp.unknown': "We can't find that comp.",
  'comp.unknown-type': 'That ticket type is no longer offered. Please reload the page.',
  'comp.void': 'This ticket is no longer valid.',
  'comp.window-closed': `Comps can be withdrawn until ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  'refund.comp': "This ticket is from the guest list. If you can't come, ask the organizer to withdraw it.",
};
