/** The texts of the waiting room. Estimates are rounded. */

import { DAYS, plural } from '#messages/format.ts';
import { placeKept, salesPaused } from '#messages/sales/event-page.ts';
import { inWaitingRoom, notOnSaleYet, turnMissed } from '#messages/waiting-room.ts';
import type { SaleStage } from './sale-stage.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function peopleAhead(before: number): string {
  if (before === 0) return "You're next";
  return plural(before, { one: 'At most # person ahead of you', other: 'At most # people ahead of you' });
}

/** Rounded up, because being early is better than being late; above ten minutes, to steps of five. */
export function formatWait(seconds: number): string {
  if (seconds < MINUTE) return 'Less than a minute';
  const exact = Math.ceil(seconds / MINUTE);
  const minutes = exact > 10 ? Math.ceil(exact / 5) * 5 : exact;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [
    hours > 0 && plural(hours, { one: '# hour', other: '# hours' }),
    rest > 0 && plural(rest, { one: '# minute', other: '# minutes' }),
  ];
  return `About ${parts.filter(Boolean).join(' ')}`;
}

/** `12:34` within the hour, then `3 hr 12 min`, then `2 days 5 hr`. */
export function countdown(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= DAY) return `${plural(Math.floor(left / DAY), DAYS)} ${Math.floor((left % DAY) / HOUR)} hr`;
  if (left >= HOUR) return `${Math.floor(left / HOUR)} hr ${Math.floor((left % HOUR) / MINUTE)} min`;
  return `${Math.floor(left / MINUTE)}:${String(left % MINUTE).padStart(2, '0')}`;
}

export const secondsUntil = (moment: Date, now: Date) => (moment.getTime() - now.getTime()) / 1000;

/** The label of the checkout button while it is closed; null when it is open. */
export function checkoutLabel(stage: SaleStage): string | null {
  if (stage.kind === 'open' || stage.kind === 'called') return null;
  if (stage.kind === 'early' || stage.kind === 'in-draw') return notOnSaleYet;
  if (stage.kind === 'paused') return salesPaused;
  return stage.kind === 'passed' ? turnMissed : 'Not your turn yet';
}

/** Announced whenever it changes, so it leaves out the seconds. */
export function announcementOf(stage: SaleStage, now: Date, denial: string | null): string {
  switch (stage.kind) {
    case 'open':
      return 'Tickets are on sale.';
    case 'paused':
      return `${salesPaused}. ${placeKept}`;
    case 'early':
      return denial === null ? "Tickets aren't on sale yet." : `Tickets aren't on sale yet. ${denial}`;
    case 'in-draw':
      return `${inWaitingRoom}. Sales haven't started yet.`;
    case 'arriving':
      return 'Sales have started. Finding your place.';
    case 'waiting':
      return `${inWaitingRoom}. ${formatWait(secondsUntil(stage.calledAt, now))} to go.`;
    case 'called':
      return "You're up! You can check out now.";
    case 'passed':
      return `${turnMissed}. You can rejoin the line.`;
  }
}
