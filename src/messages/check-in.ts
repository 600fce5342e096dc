/** Check-in: the attendant code, the result of a scan, and the lookup. */
import type { CheckInStatus } from '#contract/app/check-in.ts';
import type { ListState } from '#contract/app/check-in-devices.ts';
import { CHECK_IN_DEVICES_MAX } from '#domain/limits.ts';
import { plural } from './format.ts';

/** Short enough to read at arm's length. Where it is missing, the message starts with the result. */
export const checkInHeadlines: Record<
  Exclude<CheckInStatus, 'admitted' | 'handed-out'> | 'not-on-list' | 'unreachable',
  string
> = {
  'already-in': 'Already in',
  'already-handed-out': 'Already handed out',
  refunding: 'Refund in progress',
  refunded: 'Refunded',
  void: 'No longer valid',
  disputed: 'Payment disputed',
  'event-cancelled': 'Event cancelled',
  'not-open': 'Not open yet',
  closed: 'Check-in closed',
  'other-event': 'Another event',
  transferred: 'Transferred',
  unknown: 'Unknown code',
  'not-on-list': 'Not on the list',
  unreachable: 'Not checked',
};

/** Status of a ticket found by its last digits. */
export const listStateMessages: Record<Exclude<ListState, 'scanned'>, string> = {
  valid: 'Valid. Not checked in yet.',
  refunding: 'A refund is on its way.',
  refunded: 'Refunded.',
  void: 'No longer valid.',
  disputed: 'The payment is disputed.',
};

/** `when` is a local time such as `7:32 PM`; null if the server does not know it. */
export function checkedInMessage(when: string | null, where: string | null): string {
  const details = [when && ` at ${when}`, where && `, ${where}`].filter(Boolean).join('');
  return `Checked in${details}.`;
}

/** The same of an add-on. */
export const notHandedOut = 'Valid. Not handed out yet.';
export function handedOutMessage(when: string | null, where: string | null): string {
  return checkedInMessage(when, where).replace('Checked in', 'Handed out');
}

export function noTicketFound(digits: string): string {
  return `No ticket ends in ${digits}.`;
}
export const severalTicketsFound = 'Several tickets end in those digits. Ask for the full number.';
export const lookupHint = "Check a ticket's status. To let someone in, scan it or type all 10 digits.";
export const lookupNeedsNetwork = 'Lookup needs internet. Scanning and full codes still work.';

/** What the tabs of *Find* look for. */
export const lookupTabs = { number: 'Number', name: 'Name' };

export const guestSearch = {
  hint: 'Names as buyers or the organizer entered them. Each search is recorded.',
  membersOnly: 'To let someone in, scan their ticket or type all 10 digits.',
  label: 'Name',
  labelHint: 'First or last name, at least 3 letters.',
  form: 'Find a guest',
  find: 'Find guests',
  searching: 'Searching…',
  needsNetwork: 'Search by name needs internet. Scanning and full codes still work.',
  none: (name: string) => `No guest's name has a word that begins like “${name}”.`,
  isMore: 'There are more. Type more letters.',
  checkIn: 'Check in',
  checkInLabel: (name: string, lastDigits: string) => `Check in ${name}, …${lastDigits}`,
};

/** Label of what the organizer wrote about a guest. */
export const doorNote = 'Note';

/** Label of an undone check-in in the list of recent scans. */
export const undone = 'Undone';

export function scansWaiting(count: number): string {
  return plural(count, { one: '# scan waiting to sync', other: '# scans waiting to sync' });
}

export const checkInUndone = 'Check-in undone. The ticket is valid again.';

export const shiftEnded = 'Shift ended.';

/** For a browser that is logged in. */
export const memberEntry = {
  denied: "Your login doesn't open this event's scanner, but the attendant code does.",
  again: 'Check in under your own name',
};

/** Label of the count of an add-on. */
export const handedOutCount = (name: string): string => `${name}, handed out`;

export const attendantAccepted = 'Attendant code accepted.';

/** Of a program with an API key of this name. */
export const keyDevice = (name: string) => `API: ${name}`;

/** Default device names. */
export const organizerDevice = 'Organizer';
export function numberedDevice(position: number): string {
  return `Device ${position}`;
}

export const attendantCodeChanged = 'Attendant code changed. Every phone at the door needs the new one.';

export const readyToScan = 'Ready to scan.';

export function admitted(ticketName: string): string {
  return `Let them in: ${ticketName}.`;
}

/** Of an add-on, which doesn't admit. */
export function handOut(name: string): string {
  return `Hand out: ${name}.`;
}

/** Why a ticket does not admit. */
export const checkInErrors = {
  /** `time` is the local time of the first scan, such as `7:32 PM`; `device` is where, such as `Gate 2`. */
  'check-in.already-in': ({ time, device }: { time: string; device: string | null }) =>
    device ? `Already scanned at ${time}, ${device}.` : `Already scanned at ${time}.`,
  'check-in.already-handed-out': ({ time, device }: { time: string; device: string | null }) =>
    device ? `Handed out at ${time}, ${device}.` : `Handed out at ${time}.`,
  /** `closed` and `opens` are formatted times, such as `Friday, June 12 at 8:00 AM EDT`. */
  'check-in.closed': ({ closed }: { closed: string }) => `Check-in closed ${closed}. Ask the organizer.`,
  'check-in.not-open': ({ opens }: { opens: string }) => `Check-in opens ${opens}.`,
  'check-in.disputed': 'The payment for this ticket is disputed. Please see the organizer.',
  'check-in.event-cancelled': 'This event has been cancelled.',
  'check-in.other-event': ({ title }: { title: string }) => `This ticket is for another event: ${title}.`,
  'check-in.refunded': 'This ticket has been refunded.',
  'check-in.refunding': 'A refund for this ticket is on its way.',
  /** `when` is the local time, and on another day the day as well. */
  'check-in.transferred': ({ when, isToday }: { when: string; isToday: boolean }) =>
    `Transferred ${isToday ? 'at' : 'on'} ${when}. Its new holder has another code.`,
  'check-in.unknown-ticket': 'No ticket for this event has this code.',
  'check-in.void': 'This ticket is no longer valid.',
};

export const deviceErrors = {
  'guest-search.off': 'The organizer has turned off search by name.',
  'guest-search.members-only': 'Only team members can check in from a search. Scan the ticket or type its number.',
  'guest-search.unknown': "We can't find that ticket.",
  'attendant-code.missing': 'Enter the attendant code first.',
  'attendant-code.wrong': "This attendant code isn't valid for this event.",
  'check-in.too-late-to-undo': "It's too late to undo this check-in.",
  'device.not-found': "This device isn't checking in guests for this event.",
  'device.own-browser':
    "This is a team member's phone, which needs no code. To end its access, remove the person from the team.",
  'device.too-many': `This event already has ${CHECK_IN_DEVICES_MAX} devices. The organizer can remove some or change the code.`,
  'offline-list.too-long': 'This event has too many tickets for offline check-in.',
};
