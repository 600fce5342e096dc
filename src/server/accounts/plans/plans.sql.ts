import { type Insertable, type Selectable, sql } from 'kysely';
import { STANDARD_PLAN } from '#domain/plan.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export type PlanRow = Selectable<Schema['plans']>;

export function planRowOf(db: Db, organizationId: string): Promise<PlanRow> {
  return db
    .selectFrom('organizations as o')
    .innerJoin('plans as p', 'p.id', 'o.planId')
    .where('o.id', '=', organizationId)
    .selectAll('p')
    .executeTakeFirstOrThrow();
}

export function publicPlanRows(db: Db): Promise<PlanRow[]> {
  return db
    .selectFrom('plans')
    .where('isPublic', '=', true)
    .where('retiredAt', 'is', null)
    .selectAll()
    .orderBy('name')
    .execute();
}

export async function allPlanRows(db: Db): Promise<(PlanRow & { organizations: number })[]> {
  return db
    .selectFrom('plans as p')
    .selectAll('p')
    .select(
      sql<number>`(select count(*) from organizations o where o.plan_id = p.id and o.erased_at is null)`.as(
        'organizations',
      ),
    )
    .orderBy(sql`retired_at is not null, id <> ${STANDARD_PLAN}, lower(name)`)
    .execute();
}

/** Serializes changes of plans until the transaction ends. New events still read them. */
export async function lockPlans(tx: Db): Promise<void> {
  await sql`lock table plans in share row exclusive mode`.execute(tx);
}

/** By any spelling of its case. */
export async function hasPlanNamed(db: Db, name: string, exceptId: string): Promise<boolean> {
  const plan = await db
    .selectFrom('plans')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', exceptId)
    .select('id')
    .executeTakeFirst();
  return plan !== undefined;
}

/** False if the plan existed, and was changed. */
export async function upsertPlan(
  db: Db,
  { id, ...plan }: Omit<Insertable<Schema['plans']>, 'retiredAt'>,
): Promise<boolean> {
  const changed = await db.updateTable('plans').set(plan).where('id', '=', id).executeTakeFirst();
  if (changed.numUpdatedRows > 0n) return false;
  await db
    .insertInto('plans')
    .values({ id, ...plan, retiredAt: null })
    .execute();
  return true;
}

/** Undefined if there is no such plan. */
export function setRetired(db: Db, planId: string, retiredAt: Date | null) {
  return db.updateTable('plans').set({ retiredAt }).where('id', '=', planId).returning('id').executeTakeFirst();
}

/** Keeps the plan from being retired until the transaction ends. */
export function lockPlan(tx: Db, planId: string) {
  return tx.selectFrom('plans').where('id', '=', planId).select('retiredAt').forShare().executeTakeFirst();
}

export async function setPlanOf(db: Db, organizationId: string, planId: string): Promise<void> {
  await db.updateTable('organizations').set({ planId }).where('id', '=', organizationId).execute();
}

export interface Reserve {
  percent: number | null;
  days: number | null;
}

/** Null where the settings decide. */
export function reserveRow(db: Db, organizationId: string): Promise<Reserve> {
  return db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['reservePercent as percent', 'reserveDays as days'])
    .executeTakeFirstOrThrow();
}

export async function updateReserve(db: Db, organizationId: string, { percent, days }: Reserve): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ reservePercent: percent, reserveDays: days })
    .where('id', '=', organizationId)
    .execute();
}
