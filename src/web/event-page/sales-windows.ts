/** When the sales windows of an event's ticket types change what its page shows. */
import type { TicketType } from '#contract/app/events.ts';

/** Pages reload one after the other. */
const SPREAD_MS = 400;
/** Between these, a page that waits for a late server waits as long again. Its own clock may be ahead. */
const AGAIN_MIN_MS = 500;
const AGAIN_MAX_MS = 30_000;
/** A longer timer would end at once. */
const DELAY_MAX_MS = 24 * 60 * 60 * 1000;

/** Milliseconds until the next window opens or closes, if one does. The server has said which ones were closed. */
export function nextChange(tickets: readonly TicketType[], now: number, random = Math.random): number | null {
  const edges = tickets.flatMap(({ closed, salesFrom, salesUntil }) => {
    if (closed === 'over' || closed === 'waits') return [];
    return closed === 'not-yet' ? [salesFrom] : [salesUntil];
  });
  const delays = edges.flatMap((edge) => (edge === undefined ? [] : [Date.parse(edge) - now]));
  if (delays.length === 0) return null;
  const delay = Math.min(...delays.map((until) => (until > 0 ? until + random() * SPREAD_MS : again(-until))));
  return Math.min(delay, DELAY_MAX_MS);
}

const again = (overdue: number) => Math.min(Math.max(overdue, AGAIN_MIN_MS), AGAIN_MAX_MS);
