import { isDueToOpen, type QuantityLimits, type SalesWindow, type Succession } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { markOpened } from './events.sql.ts';

interface Type extends SalesWindow, Succession, QuantityLimits {
  id: string;
  availableToBuy: number;
}

/**
 * Opens the ticket types whose time has come, and returns the types as they are from then on. Called before a page shows them and a cart
 * is priced, so that a buyer who saw a type open is not refused when a ticket of the one before comes back. Reads that one without a lock:
 * a stale read delays the opening by one order. A type that an edit gave another one to wait for meanwhile stays closed.
 */
export async function openSuccessors<T extends Type>(
  db: Db,
  event: { id: string; now: Date },
  types: readonly T[],
): Promise<readonly T[]> {
  const due = dueOf(types, event.now);
  if (due.length === 0) return types;
  const opened = await markOpened(db, event.id, due);
  return types.map((type) => (opened.has(type.id) ? { ...type, openedAt: event.now } : type));
}

/** The types of a draft as they would be if it were published now. Stores nothing. */
export function withSuccessors<T extends Type>(types: readonly T[], now: Date): readonly T[] {
  const due = new Set(dueOf(types, now));
  return types.map((type) => (due.has(type) ? { ...type, openedAt: now } : type));
}

const dueOf = <T extends Type>(types: readonly T[], now: Date): T[] =>
  types.filter((type) => isDueToOpen(type, types, now));
