/** What the organizer who looks on is told about the doors of an event. */
import { counted } from './counted.ts';
import type { checkInDashboard } from './door.ts';
import type { ReplyOf } from './endpoint.ts';

export type CheckInDashboard = ReplyOf<typeof checkInDashboard>;
export type CheckInDevice = CheckInDashboard['devices'][number];
export type SyncConflict = CheckInDashboard['findings'][number];

/** Of one finding: what went wrong. */
export const syncConflictMessages: Record<SyncConflict['outcome'], string> = {
  double: 'Admitted twice',
  refunded: 'Let in though refunded',
  cancelled: 'Let in though cancelled',
  disputed: 'Let in though the payment is disputed',
  unknown: 'Let in without a ticket',
};

/** Of all findings but the doubles. */
export function admittedWrongly(guests: number): string {
  return guests === 1
    ? '1 guest was let in whose ticket was not good.'
    : `${guests.toLocaleString('en-US')} guests were let in whose tickets were not good.`;
}

export const whySyncConflicts =
  'A device without a network decides by its own list, and cannot know what happened elsewhere meanwhile. It told us when it was back.';
export const noSuchTicket = 'The number belongs to no ticket of this event.';

export const deviceStateMessages = {
  open: 'At the door',
  silent: 'No contact',
  removed: 'Removed',
  ended: 'Left',
} as const satisfies Record<CheckInDevice['state'] | 'silent', string>;

export const codeEndsDevices =
  'Within seconds every device at the door stops checking tickets, until it enters the new code.';

/** What removing a device means, above all for what it has not handed in. */
export function removalOf({ name, pending }: CheckInDevice): string[] {
  const waiting = counted(pending, 'scan');
  return [
    `Within seconds ${name} checks no more tickets, until somebody enters the attendant code on it again.`,
    ...(pending > 0
      ? [
          `It has ${waiting} that it has not handed in. ${pending === 1 ? 'It stays' : 'They stay'} on the device, and can be handed in only once it has entered the code again.`,
        ]
      : []),
    'If the device is lost, change the attendant code as well.',
  ];
}

export function waitingScans(scans: number): string {
  if (scans === 0) return 'no scans waiting';
  return `${counted(scans, 'scan')} waiting`;
}

export const nobodyIn = 'Nobody is in yet.';
export const noDevice = 'No device is at the door yet.';
export const viewNotRefreshed = 'Not refreshed since then. Trying again.';
export const viewNotLoaded = 'The doors could not be loaded.';
