import type { OrganizerEvent } from '#contract/app/events.ts';

/** Full cards on the profile. All other events are lines of the list. */
const CARDS_MAX = 4;

/** Those with something to do: the next ones by date, those whose money is not paid out, and drafts. */
export function cardsOf(events: readonly OrganizerEvent[], now: Date): readonly OrganizerEvent[] {
  const published = events.filter(({ isDraft }) => !isDraft);
  const isNext = ({ isCancelled, endDate_endTime }: OrganizerEvent) => !isCancelled && new Date(endDate_endTime) > now;
  const next = published.filter(isNext).toSorted((one, other) => startOf(one) - startOf(other));
  const unsettled = published.filter((event) => !isNext(event) && isUnsettled(event, now));
  const drafts = events.filter(({ isDraft }) => isDraft);
  return [...next, ...unsettled, ...drafts].slice(0, CARDS_MAX);
}

const startOf = (event: OrganizerEvent) => new Date(event.startDate_startTime).getTime();

function isUnsettled({ isCancelled, cancellation, payout, endDate_endTime }: OrganizerEvent, now: Date): boolean {
  if (isCancelled)
    return (cancellation?.refunded ?? 0) < (cancellation?.refunds ?? 0) || new Date(endDate_endTime) > now;
  return payout.state !== 'paid' && payout.state !== 'nothing-to-pay';
}
