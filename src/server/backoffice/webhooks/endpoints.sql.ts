import { type Insertable, sql, type Updateable } from 'kysely';
import type { EndReason } from '#domain/accounts/webhooks.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export type StoredEndpoint = NonNullable<Awaited<ReturnType<typeof endpointOf>>>;

export function endpointsOf(db: Db, organizationId: string) {
  return withHealth(db)
    .where('w.organizationId', '=', organizationId)
    .orderBy('w.createdAt', 'desc')
    .orderBy('w.id', 'desc')
    .execute();
}

export function endpointOf(db: Db, organizationId: string, endpointId: string) {
  return withHealth(db)
    .where('w.organizationId', '=', organizationId)
    .where('w.id', '=', endpointId)
    .executeTakeFirst();
}

function withHealth(db: Db) {
  return db
    .selectFrom('webhookEndpoints as w')
    .innerJoin('users as u', 'u.id', 'w.createdBy')
    .selectAll('w')
    .select('u.email')
    .select(({ selectFrom }) => [
      selectFrom('webhookDeliveries as d')
        .whereRef('d.endpointId', '=', 'w.id')
        .select(({ fn }) => fn.max('d.deliveredAt').as('at'))
        .as('deliveredAt'),
      selectFrom('webhookDeliveries as d')
        .whereRef('d.endpointId', '=', 'w.id')
        .where('d.state', '=', 'waiting')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('waiting'),
    ]);
}

export async function countLiveEndpoints(tx: Db, organizationId: string): Promise<number> {
  const { endpoints } = await tx
    .selectFrom('webhookEndpoints')
    .where('organizationId', '=', organizationId)
    .where('endedAt', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('endpoints'))
    .executeTakeFirstOrThrow();
  return endpoints;
}

/** Begins reading the organization's changes, unless another endpoint did. */
export async function insertEndpoint(tx: Db, endpoint: Insertable<Schema['webhookEndpoints']>): Promise<void> {
  await tx.insertInto('webhookEndpoints').values(endpoint).execute();
  await tx
    .insertInto('webhookReadings')
    .values({
      organizationId: endpoint.organizationId,
      upTo: sql<string>`pg_snapshot_xmin(pg_current_snapshot())`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Undefined for an unknown endpoint, and for one that has ended. The caller changes it. */
export function lockLiveEndpoint(tx: Db, organizationId: string, endpointId: string) {
  return tx
    .selectFrom('webhookEndpoints')
    .where('organizationId', '=', organizationId)
    .where('id', '=', endpointId)
    .where('endedAt', 'is', null)
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Those that a person made, themselves or by a key, in order of their ids. The caller ends them. */
export function lockLiveEndpointsBy(tx: Db, { userId, since }: { userId: string; since: string }) {
  return tx
    .selectFrom('webhookEndpoints')
    .where('createdBy', '=', userId)
    .where('createdAt', '>=', new Date(since))
    .where('endedAt', 'is', null)
    .select(['id', 'organizationId'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function updateEndpoint(
  tx: Db,
  endpointId: string,
  change: Updateable<Pick<Schema['webhookEndpoints'], 'types' | 'onlyEventIds' | 'secretsSealed'>>,
): Promise<void> {
  await tx.updateTable('webhookEndpoints').set(change).where('id', '=', endpointId).execute();
}

/** With what waits for it. False if it had ended. */
export async function endEndpoint(
  tx: Db,
  endpointId: string,
  { reason, at }: { reason: EndReason; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhookEndpoints')
    .set({ endedAt: at, endReason: reason })
    .where('id', '=', endpointId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('webhookDeliveries')
    .set({ state: 'dropped', sendingUntil: null })
    .where('endpointId', '=', endpointId)
    .where('state', '=', 'waiting')
    .execute();
  return numUpdatedRows > 0n;
}

/** A success ends a streak of failures, and lets what waited for its next attempt go at once. */
export async function recordHealthy(tx: Db, endpointId: string, at: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('webhookEndpoints')
    .set({ failingSince: null, warnedAt: null })
    .where('id', '=', endpointId)
    .where('failingSince', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  await tx
    .updateTable('webhookDeliveries')
    .set({ nextAt: at })
    .where('endpointId', '=', endpointId)
    .where('state', '=', 'waiting')
    .where('nextAt', '>', at)
    .execute();
}

/** Undefined once the endpoint has ended. */
export async function recordFailing(tx: Db, endpointId: string, at: Date) {
  return tx
    .updateTable('webhookEndpoints')
    .set({ failingSince: sql<Date>`coalesce(failing_since, ${at})` })
    .where('id', '=', endpointId)
    .where('endedAt', 'is', null)
    .returning(['organizationId', 'url', 'failingSince', 'warnedAt'])
    .executeTakeFirst();
}

export async function markWarned(tx: Db, endpointId: string, at: Date): Promise<void> {
  await tx.updateTable('webhookEndpoints').set({ warnedAt: at }).where('id', '=', endpointId).execute();
}
