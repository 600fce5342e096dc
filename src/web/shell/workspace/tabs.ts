/** The screens of an event: where each is, and who may open it. */
import type { EventFrame } from '#contract/app/records/workspace.ts';
import { type Action, isAllowed } from '#domain/accounts/roles.ts';
import type { EventTabName } from '#messages/records/workspace.ts';

interface EventTabLink {
  tab: EventTabName;
  to: string;
  /** What the tab lists, if it counts. */
  count: number | null;
}

const ACTIONS: Record<EventTabName, Action> = {
  overview: 'event.view',
  dates: 'event.view',
  guests: 'guest.view',
  orders: 'guest.view',
  tickets: 'event.edit',
  page: 'event.edit',
  door: 'check-in.manage',
  money: 'payout.view',
};

const names = [
  'overview',
  'dates',
  'guests',
  'orders',
  'tickets',
  'page',
  'door',
  'money',
] as const satisfies readonly EventTabName[];

const addressOf = (eventId: string, tab: EventTabName) =>
  tab === 'overview' ? `/events/${eventId}` : `/events/${eventId}/${tab}`;

/** Nothing of a draft is sold, so there are no guests, no door and no money. */
const OF_DRAFTS: readonly EventTabName[] = ['overview', 'dates', 'tickets', 'page'];

export function tabsOf({
  eventId,
  seriesId,
  role,
  status,
  ticketsSold,
  orders,
  ticketTypes,
}: EventFrame): EventTabLink[] {
  const counts: Partial<Record<EventTabName, number>> = { guests: ticketsSold, orders, tickets: ticketTypes };
  return names
    .filter((tab) => tab !== 'dates' || seriesId !== null)
    .filter((tab) => status !== 'draft' || OF_DRAFTS.includes(tab))
    .filter((tab) => isAllowed({ role, onlyEventIds: null }, ACTIONS[tab]))
    .map((tab) => ({ tab, to: addressOf(eventId, tab), count: counts[tab] ?? null }));
}

/** A cancelled event is the end of its series. */
export const mayAddDates = (frame: Pick<EventFrame, 'role' | 'isForAllEvents' | 'status'>): boolean =>
  frame.status !== 'cancelled' && mayCreateEvents(frame);

export const mayCreateEvents = ({ role, isForAllEvents }: Pick<EventFrame, 'role' | 'isForAllEvents'>): boolean =>
  isAllowed({ role, onlyEventIds: isForAllEvents ? null : [] }, 'event.create');
