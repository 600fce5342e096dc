/** The check-in dashboard. */
import type { CheckInDevice, SyncConflict } from '#contract/app/check-in-devices.ts';
import { plural } from './format.ts';

/** Labels of sync conflicts. */
export const syncConflictMessages: Record<SyncConflict['result'], string> = {
  double: 'Admitted twice',
  refunded: 'Refunded, but let in',
  cancelled: 'Cancelled, but let in',
  disputed: 'Disputed, but let in',
  transferred: 'Let in with a code from before a transfer',
  'outside-hours': 'Let in outside check-in hours',
  unknown: 'Let in without a ticket',
};

/** The same of add-ons, which are handed out. */
export const addOnConflictMessages: Record<SyncConflict['result'], string> = {
  double: 'Handed out twice',
  refunded: 'Refunded, but handed out',
  cancelled: 'Cancelled, but handed out',
  disputed: 'Disputed, but handed out',
  transferred: 'Handed out with a code from before a transfer',
  'outside-hours': 'Handed out outside check-in hours',
  unknown: 'Handed out without a ticket',
};

/** Summary of the conflicts of add-ons. */
export function wronglyHandedOut(items: number): string {
  return plural(items, {
    one: '# add-on was handed out twice or without a good ticket.',
    other: '# add-ons were handed out twice or without a good ticket.',
  });
}

/** Summary of all conflicts except tickets admitted twice. */
export function invalidAdmissions(guests: number): string {
  return plural(guests, {
    one: '# guest got in with a bad ticket.',
    other: '# guests got in with bad tickets.',
  });
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

/** Instead of the button that removes a device. */
export const memberDevice = 'Team member';

export const codeChangeConsequence =
  'Every phone that entered the code signs out within seconds and needs the new one. Members of your team stay.';

/** Consequences of removing a device, including for scans that it has not synced. */
export function removalConsequences({ name, pending }: CheckInDevice): string[] {
  return [
    `${name} signs out within seconds and needs the attendant code to come back.`,
    ...(pending > 0
      ? [
          plural(pending, {
            one: '# scan is still waiting to sync. It stays on the device until someone enters the code there again.',
            other:
              '# scans are still waiting to sync. They stay on the device until someone enters the code there again.',
          }),
        ]
      : []),
    'If the device is lost, change the attendant code too.',
  ];
}

export function waitingScans(scans: number): string {
  if (scans === 0) return 'no scans waiting';
  return plural(scans, { one: '# scan waiting', other: '# scans waiting' });
}

export const noArrivals = "No one's here yet.";
export const noDevice = 'No phones at the door yet.';
export const viewNotRefreshed = 'Connection lost. Trying again…';
export const viewNotLoaded = "The door page couldn't load.";

export const deviceRemoved = 'Device removed. It needs the attendant code to check in guests again.';

export function admittedTwice(tickets: number): string {
  return plural(tickets, { one: '# ticket was admitted twice.', other: '# tickets were admitted twice.' });
}
