/** The door guide: what attendants see, what it means, and what to do. It hangs beside the door, on paper. */
import { UNDO_SECONDS } from '#domain/limits.ts';
import { admitted, alreadyScanned, type CheckInResult, checkInErrors, ticketOfOtherEvent } from './admission.ts';

/** What a device at the door shows: a result of the server, or what it found alone. */
export type ShownResult = CheckInResult | 'admitted-offline' | 'not-on-list' | 'unreachable';

interface ResultGuide {
  result: ShownResult;
  sees: string;
  means: string;
  act: string;
}

/** Each result of a check, for whoever stands at the door: first those that come most often. */
export const resultGuide: readonly ResultGuide[] = [
  {
    result: 'admitted',
    sees: admitted('General admission'),
    means: 'A good ticket. It is marked as used.',
    act: 'Let them in.',
  },
  {
    result: 'admitted-offline',
    sees: 'Let in - offline, will sync: General admission.',
    means: 'No network. The ticket is good by the list on this device.',
    act: 'Let them in.',
  },
  {
    result: 'already-in',
    sees: alreadyScanned('7:32 PM', 'Gate 1'),
    means: 'Somebody came in with this ticket, then and there.',
    act: 'Ask. They may have gone out for a moment, or show a copy.',
  },
  {
    result: 'unknown',
    sees: checkInErrors['unknown-ticket'],
    means: 'A typing mistake, or no ticket of this event.',
    act: 'Read the ten digits again. Compare event and date.',
  },
  {
    result: 'not-on-list',
    sees: "Not on this device's list: it may have been sold after 6:41 PM. Let a supervisor decide.",
    means: 'No network. A ticket of the last minutes, or none.',
    act: 'Let a supervisor decide, or wait for the network.',
  },
  {
    result: 'other-event',
    sees: ticketOfOtherEvent('Late Show'),
    means: 'A ticket of the same organizer for another evening or room.',
    act: 'Show them the event and the date on their ticket.',
  },
  {
    result: 'refunding',
    sees: checkInErrors.refunding,
    means: 'Somebody asked for the money back.',
    act: 'The buyer can still stop it by the link in their mail. Then check again.',
  },
  {
    result: 'refunded',
    sees: checkInErrors.refunded,
    means: 'The money went back.',
    act: 'They need a new ticket.',
  },
  {
    result: 'void',
    sees: checkInErrors.void,
    means: 'The payment was taken back after the sale.',
    act: 'They need a new ticket, or see the organizer.',
  },
  {
    result: 'disputed',
    sees: checkInErrors.disputed,
    means: "The payer's bank is looking into the payment.",
    act: 'Send them to the organizer.',
  },
  {
    result: 'event-cancelled',
    sees: checkInErrors['event-cancelled'],
    means: 'Every ticket is refunded by itself.',
    act: 'Let nobody in.',
  },
  {
    result: 'unreachable',
    sees: 'An error occurred. Please try again.',
    means: 'No check took place, and nobody was marked.',
    act: 'Try again. Without a list, write the number down.',
  },
];

export const guideSteps = [
  'Scan this code with the camera of a phone, or open the address below.',
  'Enter the attendant code. Capitals do not matter.',
  'Name the device after its place, such as “Gate 2”, and allow the camera.',
  'Hold the QR code of the ticket into the square, or type its ten digits.',
] as const;

export const guideWithoutNetwork = [
  'Go on scanning. The device decides by its own list and switches by itself, also back.',
  'Leave the page open, or open it again on the same device: what it let in waits there until there is a network.',
  'At several doors without a network, the same ticket can come in twice. The organizer sees it afterwards.',
] as const;

export const guideHints = [
  `Let in by mistake? “Take back” works for ${UNDO_SECONDS} seconds.`,
  'A code that does not read: brighten their screen, hold it a hand’s width away, or type the number.',
  'A number that is not at hand: “Find” tells by its last 4 digits how a ticket stands.',
  'Stop the scanner between guests: it drains the battery.',
] as const;
