/** What a test looks at to know where the money went: our books, and the card company's own. */
import { sql } from 'kysely';
import type { World } from './world.ts';

/** The event's ledger as lines such as `refund processor -2400`, in a fixed order. */
export async function bookOf({ db }: World, eventId: string, kind?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .where('eventId', '=', eventId)
    .select(['kind', 'account', 'cents'])
    .orderBy('kind')
    .orderBy('account')
    .orderBy('cents')
    .execute();
  return rows.filter((row) => !kind || row.kind === kind).map((row) => `${row.kind} ${row.account} ${row.cents}`);
}

export interface Moved {
  id: string;
  amount: number;
  status: string | null;
  destination: string | null;
}

/** What the card company says that it gave back, or transferred, for the event. */
export async function movedByProcessor({ db }: World, kind: 'refund' | 'transfer', eventId: string): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    select id, (body->>'amount')::int as amount, body->>'status' as status, body->>'destination' as destination
      from sandbox.objects
     where kind = ${kind} and body->'metadata'->>'event_id' = ${eventId}
     order by id`.execute(db);
  return rows;
}

export async function reservedOf({ db }: World, eventId: string): Promise<number> {
  const types = await db.selectFrom('ticketTypes').where('eventId', '=', eventId).select('reserved').execute();
  return types.reduce((sum, type) => sum + type.reserved, 0);
}

/** Lets the next matching calls to the card company go wrong. */
export async function planFault({ sandboxUrl }: World, fault: object): Promise<void> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

export async function clearFaults({ sandboxUrl }: World): Promise<void> {
  await fetch(`${sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
}

/** Moves the clock to the last second before an instant; the clock only goes forward. */
export async function advanceTo(world: World, at: Date): Promise<void> {
  const seconds = Math.floor((at.getTime() - world.now().getTime()) / 1000);
  await world.advance({ seconds });
}

/** From here on the event's refunds are closed and its payout is open. */
export async function settlementOf({ db }: World, eventId: string): Promise<Date> {
  const { latestEndsAt } = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select('latestEndsAt')
    .executeTakeFirstOrThrow();
  return new Date(latestEndsAt.getTime() + 24 * 60 * 60 * 1000);
}
