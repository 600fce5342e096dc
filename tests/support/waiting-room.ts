/** People around a sale with an announced start. */
import { sql } from 'kysely';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { joinWaitingRoom, waitingRoom } from '#contract/app/waiting-room.ts';
import type { Db } from '#server/platform/database.ts';
import type { Visitor } from './http-visitor.ts';
import { eventOnSale, generalAdmission, type Site } from './people.ts';

const MINUTE = 60_000;

/** An event whose sale starts in this many minutes, with a waiting room that admits `perMinute`. */
export async function eventWithWaitingRoom(site: Site, startsInMinutes: number, perMinute = 60) {
  const salesStart = inMinutes(site, startsInMinutes);
  const sale = { salesStart, useWaitingRoom: true, buyersPerMinute: perMinute };
  return { ...(await eventOnSale(site, sale)), sale };
}

export const inMinutes = (site: Site, minutes: number) =>
  new Date(site.now().getTime() + minutes * MINUTE).toISOString();

export const join = (visitor: Visitor, eventId: string) => visitor.call(joinWaitingRoom, { eventId });

export async function joined(site: Site, eventId: string) {
  const visitor = site.visitor();
  const { body } = await join(visitor, eventId);
  return { visitor, position: body.position };
}

export const tryCheckout = (visitor: Visitor, eventId: string, quantity = 1) =>
  visitor.call(createCheckoutSession, { eventId, cartItems: generalAdmission(quantity) });

/** The status that everyone in the waiting room sees. */
export const pollRoom = async (site: Site, eventId: string) => (await site.call(waitingRoom, { eventId })).body;

export const ratesIn = ({ rates }: Awaited<ReturnType<typeof pollRoom>>) =>
  rates.map((rate) => ({ ...rate, since: new Date(rate.since) }));

/** Sale polls that wait for a lock, as PostgreSQL lists them. */
export const blockedSalePolls = sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  and query like '%is_draw_due%' and query not like '%pg_stat_activity%'`;

export async function countBlockedPolls(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${blockedSalePolls}`.execute(db);
  return rows[0]?.count;
}
