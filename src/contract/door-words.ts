/** The verdict in a word or two, above the sentence that explains it: what an attendant reads at arm's length. */
import type { CheckInResult } from './admission.ts';
import type { ListState } from './door.ts';

/** A ticket that is let in has none: its own sentence begins with the verdict. */
export const checkInHeadlines: Record<Exclude<CheckInResult, 'admitted'> | 'not-on-list' | 'unreachable', string> = {
  'already-in': 'Already in',
  refunding: 'Refund under way',
  refunded: 'Refunded',
  void: 'Not valid any more',
  disputed: 'Payment disputed',
  'event-cancelled': 'Event cancelled',
  'other-event': 'Another event',
  unknown: 'Unknown code',
  'not-on-list': 'Not on the list',
  unreachable: 'Not checked',
};

/** How a ticket stands that was found by its last digits. */
export const listStateMessages: Record<Exclude<ListState, 'scanned'>, string> = {
  valid: 'Good. It has not been let in yet.',
  refunding: 'A refund is on its way.',
  refunded: 'Refunded.',
  void: 'No longer valid.',
  disputed: 'The payment is disputed.',
};

/** `when` is a local time such as `7:32 PM`, where the server knows it. */
export function foundLetIn(when: string | null, where: string | null): string {
  const facts = [when && ` at ${when}`, where && `, ${where}`].filter(Boolean).join('');
  return `Let in${facts}.`;
}

export function noTicketEndsIn(digits: string): string {
  return `No ticket of this event ends in ${digits}.`;
}
export const moreTicketsEndSo = 'More tickets end so. Ask for the whole number.';
export const findLetsNobodyIn =
  'This only shows how a ticket stands. It lets nobody in: for that, scan the code or type all ten digits.';
export const findNeedsNetwork =
  'Offline, this cannot be answered: this device keeps no numbers. Scanning and typing whole codes goes on working.';

/** Shown below a device's own verdict. `failure` is what the server said instead of one, or that it said nothing. */
export function decidedByDevice(failure: string): string {
  return `${failure} This device decided by its own list.`;
}

/** Of a scan in the list of the last ones. */
export const undone = 'Taken back';

export function scansWaiting(count: number): string {
  return count === 1 ? '1 scan waits to be handed in' : `${count} scans wait to be handed in`;
}
