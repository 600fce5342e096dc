/** Headlines of check-in results, short enough to read at arm's length. */
import type { CheckInStatus } from '#contract/app/check-in.ts';
import type { ListState } from '#contract/app/check-in-devices.ts';

/** `admitted` has none: its message starts with the result. */
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

export function noTicketFound(digits: string): string {
  return `No ticket ends in ${digits}.`;
}
export const severalTicketsFound = 'Several tickets end in those digits. Ask for the full number.';
export const lookupHint = "Check a ticket's status. To let someone in, scan it or type all 10 digits.";
export const lookupNeedsNetwork = 'Lookup needs internet. Scanning and full codes still work.';

/** Shown below an offline result. `failure` is why the server did not decide. */
export function decidedByDevice(failure: string): string {
  return `${failure} Decided by the list on this phone.`;
}

/** Label of an undone check-in in the list of recent scans. */
export const undone = 'Undone';

export function scansWaiting(count: number): string {
  return count === 1 ? '1 scan waiting to sync' : `${count} scans waiting to sync`;
}
