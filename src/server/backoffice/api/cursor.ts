/** Where a page of a list ends, in a text that programs send back unread. */
import { AppError } from '#server/platform/app-error.ts';
import { isUuid } from '#server/platform/ids.ts';
import type { EventPlace } from './api.sql.ts';

type List = 'events' | 'orders' | 'tickets';

const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)?$/;

const write = (list: List, ...place: string[]) => Buffer.from(JSON.stringify([list, ...place])).toString('base64url');

export const cursorOf = (list: 'orders' | 'tickets', id: string): string => write(list, id);
export const eventCursorOf = ({ createdAt, id }: EventPlace): string => write('events', createdAt, id);

/** Null before the first row. */
export function readCursor(list: 'orders' | 'tickets', after: string | undefined): string | null {
  if (after === undefined) return null;
  const [id] = read(list, after);
  if (id === undefined || !isUuid(id)) throw new AppError('input.invalid-cursor');
  return id;
}

export function readEventCursor(after: string | undefined): EventPlace | null {
  if (after === undefined) return null;
  const [createdAt, id] = read('events', after);
  if (createdAt === undefined || id === undefined || !INSTANT.test(createdAt))
    throw new AppError('input.invalid-cursor');
  return { createdAt, id };
}

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
