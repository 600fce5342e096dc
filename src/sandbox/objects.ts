/** Stores Stripe objects in PostgreSQL. Lock an object before you change it. */

import type { OperationContext } from './operation-context.ts';
import type { Kind, Kinds } from './shapes/kinds.ts';

export type ReferenceField = 'payment_intent' | 'charge' | 'destination' | 'source_transaction';

/** An API object (`body`) and the private state behind it (`inside`). Change it in place, then call `saveObject`. */
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

/** Inserts an object that the API returns but no operation reads. */
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

/** Scoped to the caller: the platform or one connected account. */
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

/** Locks the row until the transaction ends, which serializes concurrent changes. */
export function lockObject<K extends Kind>(
  ctx: Pick<OperationContext, 'tx'>,
  kind: K,
  id: string,
): Promise<Stored<K> | null> {
  return selectObject(ctx, kind, id, 'for update');
}

export async function saveObject(ctx: Pick<OperationContext, 'tx'>, object: Stored<Kind>): Promise<void> {
  await ctx.tx.query('update sandbox.objects set body = $2, inside = $3 where id = $1', [
    object.body.id,
    JSON.stringify(object.body),
    JSON.stringify(object.inside),
  ]);
}

/** Newest first. The field is part of the statement's text so that the planner can use its index. */
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

/** Objects of a connected account, newest first. */
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
