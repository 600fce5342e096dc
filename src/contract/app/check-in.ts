/** The door: the attendant code, and the check of a ticket. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { honeypot } from '#contract/forms/honeypot.ts';
import { oneLine } from '#contract/forms/typed-text.ts';
import { sentence } from '#contract/messages/requests.ts';
import { CHECK_IN_DEVICES_MAX, CODE_MAX, DEVICE_NAME_MAX } from '#domain/limits.ts';

export const attendantForm = z.object({
  attendantCode: z.string().check(z.trim(), z.minLength(1, 'Attendant code is required')),
  /** What the organizer and the other doors call this device, such as `Gate 2`. Without one it is numbered. */
  deviceName: z.optional(
    z
      .string()
      .check(oneLine(), z.maxLength(DEVICE_NAME_MAX, `Device name must be ${DEVICE_NAME_MAX} characters or less`)),
  ),
  honeypot,
});

/** Codes are shown and typed with at most this many characters. */
export const codeLength = CODE_MAX;

export const enterAttendantCode = endpoint({
  method: 'POST',
  path: '/api/public/attendantCode',
  access: 'public',
  input: z.object({ formData: attendantForm, eventId: z.string() }),
  reply: sentence,
});

export const attendantAccepted = 'Attendant code accepted.';
export const wrongAttendantCode = "This attendant code isn't valid for this event.";
export const grantMissing = 'Enter the attendant code first.';

/** Default names of devices: the organizer's own browser, and all others. */
export const organizerDevice = 'Organizer';
export function numberedDevice(place: number): string {
  return `Device ${place}`;
}

export const tooManyDevices = `This event already has ${CHECK_IN_DEVICES_MAX} devices. The organizer can remove some or change the code.`;

/** A code that has got about: the old one opens no scanner any more, and the devices that it opened need the new one. */
export const changeAttendantCode = endpoint({
  method: 'POST',
  path: '/api/protected/change-attendant-code',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({ attendantCode: z.string().check(z.maxLength(CODE_MAX)) }),
});

export const attendantCodeChanged = 'Attendant code changed. Every phone at the door needs the new one.';

/** Made by the device before the first try and kept through every other one, so that a scan counts once. */
const scanId = z.uuid();

/** What a check came to. The words are in `msg`; this is for the shape, the colour, the sound and the vibration. */
export const checkInStatuses = [
  'admitted',
  'already-in',
  'refunding',
  'refunded',
  'void',
  'disputed',
  'event-cancelled',
  'other-event',
  'unknown',
] as const;
export type CheckInStatus = (typeof checkInStatuses)[number];

const checked = z.object({ msg: z.string(), result: z.literal('admitted') });

export const checkGuest = endpoint({
  method: 'POST',
  path: '/api/public/checkGuest',
  access: 'attendant',
  input: z.object({
    eventId: z.string(),
    confirmationNumber: z.string().check(z.maxLength(100)),
    scanId: z.optional(scanId),
  }),
  reply: checked,
});

export const guestForm = z.object({
  confirmationNumber: z.string().check(z.trim(), z.minLength(1, 'Confirmation code is required'), z.maxLength(100)),
  honeypot,
});

export const checkGuestManual = endpoint({
  method: 'POST',
  path: '/api/public/checkGuestManual',
  access: 'attendant',
  input: z.object({ manualFormData: guestForm, eventId: z.string(), scanId: z.optional(scanId) }),
  reply: checked,
});

export function admitted(ticketName: string): string {
  return `Let them in: ${ticketName}.`;
}

export const checkInErrors = {
  'unknown-ticket': 'No ticket for this event has this code.',
  refunding: 'A refund for this ticket is on its way.',
  refunded: 'This ticket has been refunded.',
  void: 'This ticket is no longer valid.',
  disputed: 'The payment for this ticket is disputed. Please see the organizer.',
  'event-cancelled': 'This event has been cancelled.',
};

/** `when` is the local time of the first scan, such as `7:32 PM`; `where` the name of its device, such as `Gate 2`. */
export function alreadyScanned(when: string, where: string | null): string {
  return where ? `Already scanned at ${when}, ${where}.` : `Already scanned at ${when}.`;
}

export function ticketOfOtherEvent(title: string): string {
  return `This ticket is for another event: ${title}.`;
}
