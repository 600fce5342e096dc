import type { adminSearch } from '#contract/app/brakes.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { brakeOf } from '#server/events/event-columns.ts';
import type { Deps } from '#server/platform/deps.ts';
import { stripeUrl } from '../disputes/stripe-url.ts';
import { searchEvents, searchOrders, searchOrganizations } from './search.sql.ts';

const FOUND_MAX = 20;

/** What an operator can put a brake on, and orders. */
export async function search(
  deps: Pick<Deps, 'db' | 'takesRealMoney'>,
  { q = '' }: InputOf<typeof adminSearch>,
): Promise<ReplyOf<typeof adminSearch>> {
  const { db } = deps;
  const [organizations, events, orders] = await Promise.all([
    searchOrganizations(db, q, FOUND_MAX),
    searchEvents(db, q, FOUND_MAX),
    searchOrders(db, q, FOUND_MAX),
  ]);
  return {
    organizations: organizations.map(({ suspendedAt, suspendReason, total: _total, ...organization }) => ({
      ...organization,
      suspended: brakeOf(suspendedAt, suspendReason),
    })),
    totalOrganizations: organizations[0]?.total ?? 0,
    events: events.map(({ salesStoppedAt, stopReason, heldAt, holdReason, startsAt, total: _total, ...event }) => ({
      ...event,
      startsAt: startsAt.toISOString(),
      salesStopped: brakeOf(salesStoppedAt, stopReason),
      payoutsHeld: brakeOf(heldAt, holdReason),
    })),
    totalEvents: events[0]?.total ?? 0,
    orders: orders.map(({ paymentId, createdAt, total: _total, ...order }) => ({
      ...order,
      createdAt: createdAt.toISOString(),
      stripeUrl: paymentId && stripeUrl(deps, `payments/${paymentId}`),
    })),
    totalOrders: orders[0]?.total ?? 0,
  };
}
