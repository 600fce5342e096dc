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
  guests: 'guest.view',
  orders: 'guest.view',
  tickets: 'event.edit',
  door: 'check-in.manage',
  money: 'payout.view',
};

const names = ['guests', 'orders', 'tickets', 'door', 'money'] as const satisfies readonly EventTabName[];

export function tabsOf({ eventId, role, ticketsSold, orders, ticketTypes }: EventFrame): EventTabLink[] {
  const counts: Partial<Record<EventTabName, number>> = { guests: ticketsSold, orders, tickets: ticketTypes };
  return names
    .filter((tab) => isAllowed({ role, onlyEventIds: null }, ACTIONS[tab]))
    .map((tab) => ({ tab, to: `/events/${eventId}/${tab}`, count: counts[tab] ?? null }));
}
