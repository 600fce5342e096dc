/**
 * In-memory offline lists of events with active devices. Every device polls every few seconds, mostly for the same
 * changes: one read serves all of them, fetches only what changed since the previous read, and stays fresh long enough
 * that reading takes a small share of one connection's time, however large the event is.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type CheckInHours, checkInHours } from '#domain/check-in-hours.ts';
import { OFFLINE_LIST_TICKETS_MAX, TICKET_TYPES_MAX } from '#domain/limits.ts';
import { hashBits } from '#domain/offline-list.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { hashNumber } from './hash-number.ts';
import type { ListCursor } from './list-cursor.ts';
import {
  eventForList,
  inSnapshot,
  type ListedTicketType,
  listedTickets,
  ticketsIssued,
  ticketTypesForList,
  typesWithTickets,
} from './offline-list.sql.ts';
import { type Tally, TicketTable } from './ticket-table.ts';

export interface CachedList extends ListCursor {
  title: string;
  timezone: string;
  isCancelled: boolean;
  hours: CheckInHours;
  salt: string;
  edition: Edition;
  table: TicketTable;
  tally: Tally;
  /** On the clock of `performance.now()`. */
  freshUntil: number;
}

/** How the tickets are encoded. A new edition means that all of them are read and sent again. */
interface Edition {
  name: string;
  bits: number;
  types: ListedTicketType[];
  /** The edition's input, which tells whether the edition can be reused. */
  source: string;
}

/** A list stays fresh for this multiple of the time it took to read. */
const READ_TIME_FACTOR = 50;
const FRESH_MS_MAX = 2_000;
const CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** A type's index is one byte. Of the types beyond the limit, which were removed, all tickets were refunded. */
const TYPES_MAX = TICKET_TYPES_MAX + 100;

export class OfflineListCache {
  /** Least recently used first. */
  readonly #lists = new Map<string, CachedList>();
  readonly #reading = new Map<string, Promise<CachedList>>();
  readonly #db: Db;
  readonly #bytesMax: number;
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(db: Db, bytesMax = CACHE_BYTES_MAX) {
    this.#db = db;
    this.#bytesMax = bytesMax;
  }

  /**
   * The next read mutates the list, so callers must use it before they await anything.
   *
   * @param notBefore on the database's clock. A device that got a list from another process never gets an older one here
   */
  async current(eventId: string, salt: string, notBefore: number): Promise<CachedList> {
    const fresh = this.#fresh(eventId);
    if (fresh && fresh.readAt >= notBefore) return fresh;
    // Waits, because a client that names a future time would otherwise force a read on every request.
    if (fresh) await sleep(fresh.freshUntil - performance.now());
    const fresher = this.#fresh(eventId);
    if (fresher && fresher.readAt >= notBefore) return fresher;
    const running = this.#reading.get(eventId);
    if (running) return running;
    const reading = this.#readSerially(eventId, salt).finally(() => this.#reading.delete(eventId));
    this.#reading.set(eventId, reading);
    return reading;
  }

  #fresh(eventId: string): CachedList | null {
    const list = this.#lists.get(eventId);
    if (!list || performance.now() >= list.freshUntil) return null;
    this.#lists.delete(eventId);
    this.#lists.set(eventId, list);
    return list;
  }

  /** One read at a time: check-ins need the few connections more. */
  #readSerially(eventId: string, salt: string): Promise<CachedList> {
    const reading = this.#lastRead.then(() => this.#read(eventId, salt));
    this.#lastRead = reading.catch(() => {});
    return reading;
  }

  async #read(eventId: string, salt: string): Promise<CachedList> {
    const previous = this.#lists.get(eventId);
    const list = await inSnapshot(this.#db, (tx) => readList(tx, { eventId, salt, previous }));
    this.#lists.delete(eventId);
    this.#lists.set(eventId, list);
    this.#evict();
    return list;
  }

  #evict(): void {
    let bytes = 0;
    for (const { table } of this.#lists.values()) bytes += table.bytes;
    for (const [oldest, { table }] of this.#lists) {
      if (bytes <= this.#bytesMax || this.#lists.size === 1) return;
      bytes -= table.bytes;
      this.#lists.delete(oldest);
    }
  }
}

interface ListRead {
  eventId: string;
  salt: string;
  previous: CachedList | undefined;
}

async function readList(tx: Db, { eventId, salt, previous }: ListRead): Promise<CachedList> {
  const startedAt = performance.now();
  const event = await eventForList(tx, eventId);
  if (!event) throw new AppError('event.not-found');
  if ((await ticketsIssued(tx, eventId)) > OFFLINE_LIST_TICKETS_MAX) throw new AppError('offline-list.too-long');
  const edition = await editionOf(tx, { eventId, salt, previous });
  const base = previous?.edition.name === edition.name ? previous : null;
  const table = base?.table ?? new TicketTable();
  const hasChanged = await applyRows(table, listedTickets(tx, eventId, base ? String(base.upTo) : null), {
    salt,
    edition,
  });
  const now = performance.now();
  return {
    title: event.title,
    timezone: event.timezone,
    isCancelled: event.cancelledAt !== null,
    hours: checkInHours(event),
    salt,
    edition,
    table,
    tally: base && !hasChanged ? base.tally : table.tally(edition.types),
    upTo: BigInt(event.upTo),
    readAt: event.readAt.getTime(),
    freshUntil: now + Math.min((now - startedAt) * READ_TIME_FACTOR, FRESH_MS_MAX),
  };
}

/** Returns true if any ticket changed. */
async function applyRows(
  table: TicketTable,
  rows: ReturnType<typeof listedTickets>,
  { salt, edition }: { salt: string; edition: Edition },
): Promise<boolean> {
  const typeIndexes = new Map(edition.types.map(({ id }, index) => [id, index]));
  let hasChanged = false;
  for await (const batch of rows) {
    for (const { key, number, type, state, xmin, device } of batch) {
      const typeIndex = typeIndexes.get(type);
      if (typeIndex === undefined) continue;
      hasChanged = true;
      table.put({
        key: Number.parseInt(key, 16),
        hash: hashNumber(salt, number, edition.bits),
        type: typeIndex,
        state,
        writtenBy: Number(xmin),
        scannedBy: device,
      });
    }
  }
  return hasChanged;
}

/** Keeps removed types that still have tickets. Removed types cannot sell more, so one check per edition is enough. */
async function editionOf(tx: Db, { eventId, salt, previous }: ListRead): Promise<Edition> {
  const all = await ticketTypesForList(tx, eventId);
  const source = JSON.stringify(all);
  if (previous?.edition.source === source) return previous.edition;

  const isRemoved = ({ removedAt }: ListedTicketType) => removedAt !== null;
  const typesSold = all.some(isRemoved) ? new Set(await typesWithTickets(tx, eventId)) : null;
  const types = all.filter((type) => !isRemoved(type) || typesSold?.has(type.id)).slice(0, TYPES_MAX);
  const capacity = all.filter((type) => !isRemoved(type)).reduce((sum, { quantity }) => sum + quantity, 0);
  const bits = hashBits(capacity);
  const parts = [salt, bits, ...types.flatMap(({ id, name }) => [id, name])];
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
  return { name, bits, types, source };
}
