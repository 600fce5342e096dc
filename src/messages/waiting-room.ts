/** The waiting room of a sale. */
import { WAITING_ROOM_MINUTES } from '#domain/waiting-room.ts';

export const notOnSaleYet = 'Not on sale yet';
/** `when` is in the event's time zone, such as `Friday, June 12, 2026 at 10:00 AM EDT`. */
export const onSaleFrom = (when: string): string => `On sale from ${when}.`;

export const inWaitingRoom = "You're in the waiting room";
export const turnMissed = 'You missed your turn';

/** Below a place in line. Only passes whose pages are open come up. */
export const keepsPlace = 'Keep this page open: it confirms your pass. Pick your tickets while you wait.';
export const cameUpWhileClosed = 'Your pass came up while this page was closed.';

/** Shown while the server is unreachable: without a position, and with one. */
export const stillTrying = 'Still trying.';
export const stillTryingWithPosition = 'Still trying, and your place is safe.';

/** Below the denial of a pass, while the page waits for the start. */
export const joinsAtStart = 'Keep this page open, and it will join by itself.';

/** Verifying the draw, once its key is public. */
export const drawCheck = {
  title: 'The draw',
  intro:
    'Before sales started, we published the hash of a secret key. The key decided every place in line, and is now public.',
  action: 'Check the draw',
  hash: 'Hash, published before sales started',
  key: 'Key',
  arrival: 'You arrived as number',
  position: 'Your place in line',
  recalculated: 'Your place, recalculated',
  matches: 'Matches.',
  differs: "Doesn't match. Contact us, and include what is shown here.",
  failed: "We couldn't check the draw in this browser.",
};

export const waitingRoomErrors = {
  'waiting-room.network-limit':
    'Enough people on your network are waiting already. Join when sales start, or use mobile data.',
  'waiting-room.no-pass': 'This sale has a waiting room. Open the event page to join the line.',
  'waiting-room.none': 'This event has no waiting room.',
  'waiting-room.not-open': `The waiting room opens ${WAITING_ROOM_MINUTES} minutes before sales start.`,
  'waiting-room.not-your-turn': "It's not your turn yet. Keep the event page open, and we'll tell you when it is.",
  'waiting-room.pass-used': 'You already ordered with your place in line. Open the event page to rejoin the line.',
  'waiting-room.sales-not-started': "Sales haven't started yet.",
  'waiting-room.turn-passed': `${turnMissed}. Open the event page to rejoin the line.`,
};
