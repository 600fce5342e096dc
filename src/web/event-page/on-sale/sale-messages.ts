/** A waiting room in words: never more exact than it is. */
import { counted } from '#contract/counted.ts';
import { notOnSaleYet } from '#contract/waiting-room-words.ts';
import type { Turn } from './sale-stage.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function peopleBefore(before: number): string {
  if (before === 0) return 'You are next';
  return before === 1 ? '1 person is before you' : `${before.toLocaleString('en-US')} people are before you`;
}

/** Rounded up: whoever is called early is not disappointed. Beyond ten minutes in steps of five. */
export function waitInWords(seconds: number): string {
  if (seconds < MINUTE) return 'less than a minute';
  const exact = Math.ceil(seconds / MINUTE);
  const minutes = exact > 10 ? Math.ceil(exact / 5) * 5 : exact;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const words = [hours > 0 && counted(hours, 'hour'), rest > 0 && counted(rest, 'minute')];
  return `about ${words.filter(Boolean).join(' ')}`;
}

/** `12:34` within the hour, then `3 hr 12 min`, then `2 days 5 hr`. */
export function countdown(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= DAY) return `${counted(Math.floor(left / DAY), 'day')} ${Math.floor((left % DAY) / HOUR)} hr`;
  if (left >= HOUR) return `${Math.floor(left / HOUR)} hr ${Math.floor((left % HOUR) / MINUTE)} min`;
  return `${Math.floor(left / MINUTE)}:${String(left % MINUTE).padStart(2, '0')}`;
}

export const secondsUntil = (moment: Date, now: Date) => (moment.getTime() - now.getTime()) / 1000;

/** What the checkout's button says while it may not be opened; null when it may. */
export function closedLabel(turn: Turn): string | null {
  if (turn.is === 'open' || turn.is === 'called') return null;
  if (turn.is === 'early' || turn.is === 'in-draw') return notOnSaleYet;
  return turn.is === 'passed' ? 'Your turn has passed' : 'Not your turn yet';
}

/** Said aloud whenever it changes, so it holds nothing that changes by the second. */
export function announcementOf(turn: Turn, now: Date): string {
  switch (turn.is) {
    case 'open':
      return 'Tickets are on sale.';
    case 'early':
      return 'Tickets are not on sale yet.';
    case 'in-draw':
      return 'You are in the waiting room. Sales have not started yet.';
    case 'arriving':
      return 'Sales have started. Finding your place.';
    case 'waiting':
      return `You are in the waiting room. Your turn comes in ${waitInWords(secondsUntil(turn.calledAt, now))}.`;
    case 'called':
      return 'It is your turn. You can open the checkout now.';
    case 'passed':
      return 'Your turn has passed. You can get a new place.';
  }
}
