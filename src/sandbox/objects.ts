/** Keeps Stripe's objects in PostgreSQL. Whoever changes one locks its row first. */

import type { OperationContext } from './operation-context.ts';
import type { Kind, Kinds } from './shapes/kinds.ts';

export type ReferenceField = 'payment_intent' | 'charge' | 'destination' | 'source_transaction';

/** An object with what is kept beside it. Change it in place, then `saveObject`. */
export interface Stored<K extends Kind> {
  body: Kinds[K]['body'];
  inside: Kinds[K]['inside'];
}

export function insertObject<K extends Kind>(
  ctx: Pick<OperationContext, 'tx' | 'now' | 'account'>,
  body: Kinds[K]['body'] & { object: K },
  inside: Kinds[K]['inside'],
): Promise<void> {
  return insertRawObject(ctx, body, inside);
}

/** For an object that the sandbox only shows, and never reads again. */
export async function insertRawObject(
  { tx, now, account }: Pick<OperationContext, 'tx' | 'now' | 'account'>,
  body: { id: string; object: string },
  inside: object,
): Promise<void> {
  await tx.query(
    'insert into sandbox.objects (id, kind, account, created, body, inside) values ($1, $2, $3, $4, $5, $6)',
    [body.id, body.object, account, now, JSON.stringify(body), JSON.stringify(inside)],
  );
}

export function findObject<K extends Kind>(
  ctx: Pick<OperationContext, 'tx'>,
  kind: K,
  id: string,
): Promise<Stored<K> | null> {
  return selectObject(ctx, kind, id, '');
}

/** What the caller may see: the platform its own, a connected account its own. */
export async function findOwnObject<K extends Kind>(
  { tx, account }: Pick<OperationContext, 'tx' | 'account'>,
  kind: K,
  id: string,
): Promise<Stored<K> | null> {
  const { rows } = await tx.query<Stored<K>>(
    'select body, inside from sandbox.objects where id = $1 and kind = $2 and account is not distinct from $3',
    [id, kind, account],
  );
  return rows[0] ?? null;
}

/** Holds the row until the transaction ends, so that of two changes one sees the other's result. */
export function lockObject<K extends Kind>(
  ctx: Pick<OperationContext, 'tx'>,
  kind: K,
  id: string,
): Promise<Stored<K> | null> {
  return selectObject(ctx, kind, id, 'for update');
}

export async function saveObject(ctx: Pick<OperationContext, 'tx'>, kept: Stored<Kind>): Promise<void> {
  await ctx.tx.query('update sandbox.objects set body = $2, inside = $3 where id = $1', [
    kept.body.id,
    JSON.stringify(kept.body),
    JSON.stringify(kept.inside),
  ]);
}

/** Newest first. The field stands in the statement's text, where the planner can match it with an index. */
export async function findObjectsBy<K extends Kind>(
  { tx }: Pick<OperationContext, 'tx'>,
  kind: K,
  field: ReferenceField,
  value: string,
): Promise<Stored<K>[]> {
  const { rows } = await tx.query<Stored<K>>(
    `select body, inside from sandbox.objects
      where kind = $1 and body->>'${field}' = $2 order by created desc, seq desc`,
    [kind, value],
  );
  return rows;
}

async function selectObject<K extends Kind>(
  { tx }: Pick<OperationContext, 'tx'>,
  kind: K,
  id: string,
  lock: '' | 'for update',
): Promise<Stored<K> | null> {
  const { rows } = await tx.query<Stored<K>>(
    `select body, inside from sandbox.objects where id = $1 and kind = $2 ${lock}`,
    [id, kind],
  );
  return rows[0] ?? null;
}

/** What a connected account owns, newest first. */
export async function findObjectsOfAccount<K extends Kind>(
  { tx }: Pick<OperationContext, 'tx'>,
  kind: K,
  account: string,
): Promise<Stored<K>[]> {
  const { rows } = await tx.query<Stored<K>>(
    'select body, inside from sandbox.objects where kind = $1 and account = $2 order by created desc, seq desc',
    [kind, account],
  );
  return rows;
}
