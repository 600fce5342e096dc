/** The verdict in a word or two, above the sentence that explains it: what an attendant reads at arm's length. */
import type { CheckInStatus } from '#contract/app/check-in.ts';
import type { ListState } from '#contract/app/check-in-devices.ts';

/** A ticket that is let in has none: its own sentence begins with the verdict. */
export const checkInHeadlines: Record<Exclude<CheckInStatus, 'admitted'> | 'not-on-list' | 'unreachable', string> = {
  'already-in': 'Already in',
  refunding: 'Refund in progress',
  refunded: 'Refunded',
  void: 'No longer valid',
  disputed: 'Payment disputed',
  'event-cancelled': 'Event cancelled',
  'other-event': 'Another event',
  unknown: 'Unknown code',
  'not-on-list': 'Not on the list',
  unreachable: 'Not checked',
};

/** How a ticket stands that was found by its last digits. */
export const listStateMessages: Record<Exclude<ListState, 'scanned'>, string> = {
  valid: 'Valid. Not checked in yet.',
  refunding: 'A refund is on its way.',
  refunded: 'Refunded.',
  void: 'No longer valid.',
  disputed: 'The payment is disputed.',
};

/** `when` is a local time such as `7:32 PM`, where the server knows it. */
export function foundLetIn(when: string | null, where: string | null): string {
  const details = [when && ` at ${when}`, where && `, ${where}`].filter(Boolean).join('');
  return `Checked in${details}.`;
}

export function noTicketEndsIn(digits: string): string {
  return `No ticket ends in ${digits}.`;
}
export const moreTicketsEndSo = 'Several tickets end in those digits. Ask for the full number.';
export const findLetsNobodyIn = "Check a ticket's status. To let someone in, scan it or type all 10 digits.";
export const findNeedsNetwork = 'Lookup needs internet. Scanning and full codes still work.';

/** Shown below a device's own verdict. `failure` is what the server said instead of one, or that it said nothing. */
export function decidedByDevice(failure: string): string {
  return `${failure} Decided by the list on this phone.`;
}

/** Of a scan in the list of the last ones. */
export const undone = 'Undone';

export function scansWaiting(count: number): string {
  return count === 1 ? '1 scan waiting to sync' : `${count} scans waiting to sync`;
}
