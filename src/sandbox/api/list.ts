/** Stripe's lists: newest first, with cursor pagination by object id. */

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

/** An exact timestamp, or bounds. */
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
  /** A table with the columns id, seq and created. */
  from: string;
  select: string;
  /** Object name for the error about an unknown cursor. */
  objectName: string;
}

/** Collects SQL conditions with numbered placeholders. */
export class Conditions {
  readonly texts: string[] = [];
  readonly values: unknown[] = [];

  add(condition: (placeholder: string) => string, value: unknown): this {
    if (value === undefined) return this;
    this.values.push(value);
    this.texts.push(condition(`$${this.values.length}`));
    return this;
  }

  /** Restricts to the platform or one connected account. */
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
  const { rows } = await ctx.tx.query<{ object: Row }>(
    `select ${source.select} as object from ${source.from}
      ${where.texts.length > 0 ? `where ${where.texts.join(' and ')}` : ''}
      order by created ${direction}, seq ${direction} limit ${page.limit + 1}`,
    where.values,
  );
  const data = rows.slice(0, page.limit).map((row) => row.object);
  return { object: 'list', data: backwards ? data.reverse() : data, has_more: rows.length > page.limit, url };
}

/** Lists stored objects of one kind that belong to the caller's account. */
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

/** Matches the index expressions exactly. */
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
