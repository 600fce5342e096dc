/** The waiting room of a sale. */
import { type TurnDenial, WAITING_ROOM_MINUTES } from '#domain/waiting-room.ts';

export const turnErrors: Record<TurnDenial | 'sales-not-started' | 'no-pass' | 'pass-used', string> = {
  'sales-not-started': "Sales haven't started yet.",
  'no-pass': 'This sale has a waiting room. Open the event page to join the line.',
  'not-your-turn': "It's not your turn yet. Keep the event page open, and we'll tell you when it is.",
  'turn-passed': 'You missed your turn. Open the event page to rejoin the line.',
  'pass-used': 'You already ordered with your place in line. Open the event page to rejoin the line.',
};

export const notOnSaleYet = 'Not on sale yet';
/** `when` is in the event's time zone, such as `Friday, June 12, 2026 at 10:00 AM EDT`. */
export const onSaleFrom = (when: string): string => `On sale from ${when}.`;

/** Shown while the server is unreachable: without a position, and with one. */
export const stillTrying = 'Still trying.';
export const stillTryingWithPosition = 'Still trying, and your place is safe.';

export const roomNotOpen = `The waiting room opens ${WAITING_ROOM_MINUTES} minutes before sales start.`;

export const noWaitingRoom = 'This event has no waiting room.';
export const startHasPassed =
  "People have already bought tickets in the waiting room, so you can't move the start of sales.";
