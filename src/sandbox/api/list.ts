/** Stripe's lists: newest first, paged by the id of the last object seen. */

import type { OperationContext } from '../operation-context.ts';
import type { Kind, Kinds } from '../shapes/kinds.ts';
import { invalidRequest, resourceMissing } from './errors.ts';
import { isRawObject } from './form-body.ts';
import { integer, optional, type ParamReader, text } from './parameters.ts';

export interface PageParams {
  limit: number;
  starting_after: string | undefined;
  ending_before: string | undefined;
}

interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

const limit: ParamReader<number> = (raw, name) => {
  if (raw === undefined) return 10;
  const value = integer(raw, name);
  if (value >= 1 && value <= 100) return value;
  throw invalidRequest(`Invalid limit: must be between 1 and 100, is ${value}`, {
    code: 'parameter_invalid_integer',
    param: name,
  });
};

/** An exact moment, or bounds. */
const timeRange: ParamReader<{ operator: string; value: number }[]> = (raw, name) => {
  if (raw === undefined) return [];
  if (!isRawObject(raw)) return [{ operator: '=', value: integer(raw, name) }];
  const operators: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
  return Object.entries(raw).map(([bound, value]) => {
    const operator = operators[bound];
    if (!operator)
      throw invalidRequest(`Received unknown parameter: ${name}[${bound}]`, { code: 'parameter_unknown', param: name });
    return { operator, value: integer(value, `${name}[${bound}]`) };
  });
};

export const paging = { limit: limit, starting_after: optional(text), ending_before: optional(text) };
export const created = timeRange;

export interface ListSource {
  /** A table with the columns id, seq, created, and whatever the conditions and the selection name. */
  from: string;
  select: string;
  /** What a cursor that is not found is called. */
  objectName: string;
}

/** Collects conditions with their values, numbered for the statement. */
export class Conditions {
  readonly texts: string[] = [];
  readonly values: unknown[] = [];

  add(condition: (placeholder: string) => string, value: unknown): this {
    if (value === undefined) return this;
    this.values.push(value);
    this.texts.push(condition(`$${this.values.length}`));
    return this;
  }

  /** The platform's own rows, or those of one connected account. */
  ownedBy(account: string | null): this {
    if (account !== null) return this.add((p) => `account = ${p}`, account);
    this.texts.push('account is null');
    return this;
  }

  addTimeRange(bounds: { operator: string; value: number }[]): this {
    for (const { operator, value } of bounds) this.add((p) => `floor(created) ${operator} ${p}`, value);
    return this;
  }
}

export async function listPage<Row extends object>(
  ctx: OperationContext,
  source: ListSource,
  where: Conditions,
  page: PageParams,
  url: string,
): Promise<List<Row>> {
  await addCursor(ctx, source, where, page);
  const backwards = page.ending_before !== undefined;
  const direction = backwards ? 'asc' : 'desc';
  const { rows } = await ctx.tx.query<{ shown: Row }>(
    `select ${source.select} as shown from ${source.from}
      ${where.texts.length > 0 ? `where ${where.texts.join(' and ')}` : ''}
      order by created ${direction}, seq ${direction} limit ${page.limit + 1}`,
    where.values,
  );
  const shown = rows.slice(0, page.limit).map((row) => row.shown);
  return { object: 'list', data: backwards ? shown.reverse() : shown, has_more: rows.length > page.limit, url };
}

/** A page of one kind of stored object, of the platform or of the account that the call names. */
export function listObjects<K extends Kind>(
  ctx: OperationContext,
  kind: K,
  filters: Record<string, string | undefined>,
  params: PageParams & { created?: { operator: string; value: number }[] },
  url: string,
): Promise<List<Kinds[K]['body']>> {
  const where = new Conditions()
    .add((p) => `kind = ${p}`, kind)
    .addTimeRange(params.created ?? [])
    .ownedBy(ctx.account);
  for (const [field, value] of Object.entries(filters)) where.add((p) => `${bodyField(field)} = ${p}`, value);
  return listPage(ctx, { from: 'sandbox.objects', select: 'body', objectName: kind }, where, params, url);
}

/** Written as the indexes are, so that they are used. */
const bodyField = (field: string) =>
  field.includes('.') ? `body#>>'{${field.replaceAll('.', ',')}}'` : `body->>'${field}'`;

async function addCursor(
  ctx: OperationContext,
  source: ListSource,
  where: Conditions,
  page: PageParams,
): Promise<void> {
  if (page.starting_after !== undefined && page.ending_before !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: starting_after, ending_before.');
  }
  const cursor = page.starting_after ?? page.ending_before;
  if (cursor === undefined) return;
  const param = page.starting_after === undefined ? 'ending_before' : 'starting_after';
  const { rowCount } = await ctx.tx.query(`select 1 from ${source.from} where id = $1`, [cursor]);
  if (!rowCount) throw resourceMissing(source.objectName, cursor, param, 400);
  const comparison = param === 'starting_after' ? '<' : '>';
  where.add((p) => `(created, seq) ${comparison} (select created, seq from ${source.from} where id = ${p})`, cursor);
}
