import type { OrganizerEvent } from '#contract/app/events.ts';

/** Full cards on the profile. All other events are lines of the list. */
const CARDS_MAX = 4;

/** Those with something to do: the next ones by date, those whose money is not paid out, and drafts. What had a card keeps it. */
export function cardsOf(
  events: readonly OrganizerEvent[],
  now: Date,
  kept: ReadonlySet<string>,
): readonly OrganizerEvent[] {
  const published = events.filter(({ isDraft }) => !isDraft);
  const isNext = ({ isCancelled, endDate_endTime }: OrganizerEvent) => !isCancelled && new Date(endDate_endTime) > now;
  const next = onePerSeries(published.filter(isNext)).toSorted((one, other) => startOf(one) - startOf(other));
  const unsettled = published.filter((event) => !isNext(event) && (isUnsettled(event, now) || kept.has(event.eventId)));
  const drafts = onePerSeries(events.filter(({ isDraft }) => isDraft));
  return [...next, ...unsettled, ...drafts].slice(0, CARDS_MAX);
}

/** The earliest of each series, and all others. */
const onePerSeries = (events: readonly OrganizerEvent[]): readonly OrganizerEvent[] =>
  events.filter(
    (event) =>
      event.seriesId === undefined ||
      !events.some((other) => other.seriesId === event.seriesId && startOf(other) < startOf(event)),
  );

const startOf = (event: OrganizerEvent) => new Date(event.startDate_startTime).getTime();

function isUnsettled(event: OrganizerEvent, now: Date): boolean {
  const { isCancelled, cancellation, payout, endDate_endTime } = event;
  if (isCancelled)
    return (cancellation?.refunded ?? 0) < (cancellation?.refunds ?? 0) || new Date(endDate_endTime) > now;
  if (payout.state === 'nothing-to-pay') return false;
  return [payout, ...payout.further].some(({ state, paidAt }) => state !== 'paid' || isNews(paidAt, now));
}

/** A payout is worth seeing for a week. */
const NEWS_MS = 7 * 24 * 60 * 60 * 1000;
const isNews = (paidAt: string | null, now: Date) =>
  paidAt !== null && now.getTime() - new Date(paidAt).getTime() < NEWS_MS;
