/** Why a sale cannot be entered yet, apart from the schemas: see event-words.ts. */
import { type TurnDenial, WAITING_ROOM_MINUTES } from '#domain/waiting-room.ts';

export const turnErrors: Record<TurnDenial | 'sales-not-started' | 'no-place' | 'place-used', string> = {
  'sales-not-started': 'Sales have not started yet.',
  'no-place': 'This sale has a waiting room. Open the event page to get your place.',
  'not-your-turn': 'It is not your turn yet. Keep the event page open: it tells you when it is.',
  'turn-passed': 'Your turn has passed. Open the event page to get a new place.',
  'place-used': 'Your place in the waiting room was used for an order. Open the event page to get a new one.',
};

export const notOnSaleYet = 'Not on sale yet';
/** `when` is a moment on the event's clock, such as `Friday, June 12, 2026 at 10:00 AM EDT`. */
export const onSaleFrom = (when: string): string => `On sale from ${when}.`;

/** Where the server is silent, the page says this; and the other where there is a place that can be lost. */
export const pageKeepsTrying = 'This page keeps trying.';
export const passIsKept = `Your place is kept. ${pageKeepsTrying}`;

export const roomNotOpen = `The waiting room opens ${WAITING_ROOM_MINUTES} minutes before sales start.`;
