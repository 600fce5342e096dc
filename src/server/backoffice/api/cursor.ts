/** Where a page of a list ends, in a text that programs send back unread. */
import * as z from 'zod/mini';
import { AppError } from '#server/platform/app-error.ts';
import { isUuid } from '#server/platform/ids.ts';
import type { EventPlace } from './api.sql.ts';

/** Lists whose rows are in the order of their ids, which begin with the time. */
type ListById = 'orders' | 'tickets' | 'refunds' | 'payouts';
type List = ListById | 'events' | 'versions' | 'changes';

const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)?$/;

const write = (list: List, ...place: string[]) => Buffer.from(JSON.stringify([list, ...place])).toString('base64url');

export const cursorOf = (list: ListById, id: string): string => write(list, id);
export const eventCursorOf = ({ createdAt, id }: EventPlace): string => write('events', createdAt, id);

/** Null before the first row. */
export function readCursor(list: ListById, after: string | undefined): string | null {
  if (after === undefined) return null;
  const [id] = read(list, after);
  if (id === undefined || !isUuid(id)) throw new AppError('input.invalid-cursor');
  return id;
}

export function readEventCursor(after: string | undefined): EventPlace | null {
  if (after === undefined) return null;
  const [createdAt, id] = read('events', after);
  if (createdAt === undefined || id === undefined || !INSTANT.test(createdAt) || Number.isNaN(Date.parse(createdAt)))
    throw new AppError('input.invalid-cursor');
  return { createdAt, id };
}

export const versionCursorOf = (version: number): string => write('versions', String(version));

/** 0 before the first version. */
export function readVersionCursor(after: string | undefined): number {
  if (after === undefined) return 0;
  const [version] = read('versions', after);
  if (version === undefined || !/^\d{1,9}$/.test(version)) throw new AppError('input.invalid-cursor');
  return Number(version);
}

/** Where a reading of changes goes on. */
export interface ChangesPlace {
  /** What the cursor is for: of another organization, other events or a restored database, it is worth nothing. */
  reach: string;
  /** The transaction from which on rows are read. Empty: all rows. */
  since: string;
  /** Where the next round begins, once this one is over. */
  upTo: string;
  /** The last row of the round so far. All empty at its beginning. */
  object: '' | 'event' | 'order' | 'ticket' | 'ended';
  eventId: string;
  id: string;
}

export const changesCursorOf = ({ reach, since, upTo, object, eventId, id }: ChangesPlace): string =>
  write('changes', reach, since, upTo, object, eventId, id);

/** Null if it isn't one. */
export function readChangesCursor(after: string): ChangesPlace | null {
  const { success, data } = changesCursor.safeParse(parsed(after));
  if (!success) return null;
  const [, reach, since, upTo, object, eventId, id] = data;
  const hasUuid = object === 'order' || object === 'ticket';
  if (hasUuid && id !== '' && !isUuid(id)) return null;
  return { reach, since, upTo, object, eventId, id };
}

const transaction = z.string().check(z.regex(/^\d{1,19}$/));
const place = z.string().check(z.regex(/^[\w-]{0,40}$/));
const changesCursor = z.tuple([
  z.literal('changes'),
  z.string(),
  z.union([z.literal(''), transaction]),
  transaction,
  z.enum(['', 'event', 'order', 'ticket', 'ended']),
  place,
  place,
]);

function read(list: List, after: string): string[] {
  const parts = parsed(after);
  const isOfList = Array.isArray(parts) && parts[0] === list && parts.every((part) => typeof part === 'string');
  if (!isOfList) throw new AppError('input.invalid-cursor');
  return parts.slice(1);
}

function parsed(after: string): unknown {
  try {
    return JSON.parse(Buffer.from(after, 'base64url').toString());
  } catch {
    return null;
  }
}

/** @param rows one more than `limit`, if there is a next page */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursor: (last: Row) => string) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rows.length > limit && last ? cursor(last) : null };
}
