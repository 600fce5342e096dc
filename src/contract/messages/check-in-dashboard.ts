/** Messages of the check-in dashboard. */

import type { checkInDashboard } from '#contract/app/check-in-devices.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { counted } from './counted.ts';

export type CheckInDashboard = ReplyOf<typeof checkInDashboard>;
export type CheckInDevice = CheckInDashboard['devices'][number];
export type SyncConflict = CheckInDashboard['conflicts'][number];

/** Labels of sync conflicts. */
export const syncConflictMessages: Record<SyncConflict['result'], string> = {
  double: 'Admitted twice',
  refunded: 'Refunded, but let in',
  cancelled: 'Cancelled, but let in',
  disputed: 'Disputed, but let in',
  unknown: 'Let in without a ticket',
};

/** Summary of all conflicts except tickets admitted twice. */
export function invalidAdmissions(guests: number): string {
  return guests === 1
    ? '1 guest got in with a bad ticket.'
    : `${guests.toLocaleString('en-US')} guests got in with bad tickets.`;
}

export const whySyncConflicts =
  "These phones were offline, so they couldn't see other doors. They told us when they reconnected.";
export const noSuchTicket = 'No ticket for this event has this number.';

export const deviceStateMessages = {
  open: 'At the door',
  silent: 'No contact',
  removed: 'Removed',
  ended: 'Left',
} as const satisfies Record<CheckInDevice['state'] | 'silent', string>;

export const codeChangeConsequence = 'Every phone at the door signs out within seconds and needs the new code.';

/** Consequences of removing a device, including for scans that it has not synced. */
export function removalConsequences({ name, pending }: CheckInDevice): string[] {
  const waiting = counted(pending, 'scan');
  return [
    `${name} signs out within seconds and needs the attendant code to come back.`,
    ...(pending > 0
      ? [
          `It has ${waiting} waiting to sync. ${pending === 1 ? 'It stays' : 'They stay'} on the device and can sync only after it enters the code again.`,
        ]
      : []),
    'If the device is lost, change the attendant code too.',
  ];
}

export function waitingScans(scans: number): string {
  if (scans === 0) return 'no scans waiting';
  return `${counted(scans, 'scan')} waiting`;
}

export const noArrivals = "No one's here yet.";
export const noDevice = 'No phones at the door yet.';
export const viewNotRefreshed = 'Connection lost. Trying again…';
export const viewNotLoaded = "The door page couldn't load.";
