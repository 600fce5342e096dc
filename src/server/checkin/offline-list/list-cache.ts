/**
 * The lists of the events whose doors are open, as this process keeps them: each device asks every few seconds, and nearly
 * always for the same news. One reading serves all of them, takes from the database only what changed since the one before,
 * and holds so long that reading costs a small share of one connection's time, however large the event is.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { tooManyForList } from '#contract/door.ts';
import { eventNotFound } from '#contract/events.ts';
import { OFFLINE_LIST_TICKETS_MAX, TICKET_TYPES_MAX } from '#domain/limits.ts';
import { hashBits } from '#domain/offline-list.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { hashNumber } from './hash-number.ts';
import type { ListMark } from './list-mark.ts';
import {
  atOneMoment,
  eventForList,
  type ListedTicketType,
  listedTickets,
  ticketsIssued,
  ticketTypesForList,
  typesWithTickets,
} from './offline-list.sql.ts';
import { type Tally, TicketTable } from './ticket-table.ts';

export interface CachedList extends ListMark {
  title: string;
  timezone: string;
  isCancelled: boolean;
  salt: string;
  edition: Edition;
  table: TicketTable;
  tally: Tally;
  /** By this process' own watch. */
  freshUntil: number;
}

/** What the tickets are written by: with another one, all of them have to be read and sent anew. */
interface Edition {
  name: string;
  bits: number;
  types: ListedTicketType[];
  /** All that it was made of, so that it need not be made anew. */
  madeOf: string;
}

/** A list holds so many times as long as it took to read. */
const TIMES_AS_LONG = 50;
const LONGEST_MS = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** A type's place is one byte. Of those that were removed, the tickets have all been given back. */
const TYPES_LISTED = TICKET_TYPES_MAX + 100;

export class ListCache {
  /** The least recently asked for comes first. */
  readonly #lists = new Map<string, CachedList>();
  readonly #reading = new Map<string, Promise<CachedList>>();
  readonly #db: Db;
  readonly #mostBytes: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Db, mostBytes = MOST_BYTES) {
    this.#db = db;
    this.#mostBytes = mostBytes;
  }

  /**
   * Whoever uses the list does so before anything else is waited for: the next reading changes it.
   *
   * @param notBefore a moment by the database's clock. Who was told what another process read then, is not told what this one read earlier
   */
  async current(eventId: string, salt: string, notBefore: number): Promise<CachedList> {
    const fresh = this.#fresh(eventId);
    if (fresh && fresh.readAt >= notBefore) return fresh;
    // Not at once, or whoever names a moment that is still to come has it read all the time.
    if (fresh) await sleep(fresh.freshUntil - performance.now());
    const fresher = this.#fresh(eventId);
    if (fresher && fresher.readAt >= notBefore) return fresher;
    const running = this.#reading.get(eventId);
    if (running) return running;
    const reading = this.#inTurn(eventId, salt).finally(() => this.#reading.delete(eventId));
    this.#reading.set(eventId, reading);
    return reading;
  }

  #fresh(eventId: string): CachedList | null {
    const kept = this.#lists.get(eventId);
    if (!kept || performance.now() >= kept.freshUntil) return null;
    this.#lists.delete(eventId);
    this.#lists.set(eventId, kept);
    return kept;
  }

  /** One at a time: the door has few connections, and whoever is checked in needs them more. */
  #inTurn(eventId: string, salt: string): Promise<CachedList> {
    const reading = this.#last.then(() => this.#read(eventId, salt));
    this.#last = reading.catch(() => {});
    return reading;
  }

  async #read(eventId: string, salt: string): Promise<CachedList> {
    const known = this.#lists.get(eventId);
    const list = await atOneMoment(this.#db, (tx) => readList(tx, { eventId, salt, known }));
    this.#lists.delete(eventId);
    this.#lists.set(eventId, list);
    this.#forget();
    return list;
  }

  #forget(): void {
    let bytes = 0;
    for (const { table } of this.#lists.values()) bytes += table.bytes;
    for (const [oldest, { table }] of this.#lists) {
      if (bytes <= this.#mostBytes || this.#lists.size === 1) return;
      bytes -= table.bytes;
      this.#lists.delete(oldest);
    }
  }
}

interface Reading {
  eventId: string;
  salt: string;
  known: CachedList | undefined;
}

async function readList(tx: Db, { eventId, salt, known }: Reading): Promise<CachedList> {
  const begun = performance.now();
  const event = await eventForList(tx, eventId);
  if (!event) throw notFound(eventNotFound);
  if ((await ticketsIssued(tx, eventId)) > OFFLINE_LIST_TICKETS_MAX) throw conflict(tooManyForList);
  const edition = await editionOf(tx, { eventId, salt, known });
  const base = known?.edition.name === edition.name ? known : null;
  const table = base?.table ?? new TicketTable();
  const hasChanged = await fill(table, listedTickets(tx, eventId, base ? String(base.upTo) : null), { salt, edition });
  const now = performance.now();
  return {
    title: event.title,
    timezone: event.timezone,
    isCancelled: event.cancelledAt !== null,
    salt,
    edition,
    table,
    tally: base && !hasChanged ? base.tally : table.tally(edition.types.length),
    upTo: BigInt(event.upTo),
    readAt: event.readAt.getTime(),
    freshUntil: now + Math.min((now - begun) * TIMES_AS_LONG, LONGEST_MS),
  };
}

/** True where there was anything. */
async function fill(
  table: TicketTable,
  rows: ReturnType<typeof listedTickets>,
  { salt, edition }: { salt: string; edition: Edition },
): Promise<boolean> {
  const places = new Map(edition.types.map(({ id }, place) => [id, place]));
  let hasChanged = false;
  for await (const some of rows) {
    for (const { key, number, type, state, xmin, device } of some) {
      const place = places.get(type);
      if (place === undefined) continue;
      hasChanged = true;
      table.put({
        key: Number.parseInt(key, 16),
        hash: hashNumber(salt, number, edition.bits),
        type: place,
        state,
        writtenBy: Number(xmin),
        scannedBy: device,
      });
    }
  }
  return hasChanged;
}

/** A type that was removed stays as long as there are tickets of it. Nobody buys more of them, so that is looked at once. */
async function editionOf(tx: Db, { eventId, salt, known }: Reading): Promise<Edition> {
  const all = await ticketTypesForList(tx, eventId);
  const madeOf = JSON.stringify(all);
  if (known?.edition.madeOf === madeOf) return known.edition;

  const isLeft = ({ removedAt }: ListedTicketType) => removedAt !== null;
  const bought = all.some(isLeft) ? new Set(await typesWithTickets(tx, eventId)) : null;
  const types = all.filter((type) => !isLeft(type) || bought?.has(type.id)).slice(0, TYPES_LISTED);
  const places = all.filter((type) => !isLeft(type)).reduce((sum, { quantity }) => sum + quantity, 0);
  const bits = hashBits(places);
  const parts = [salt, bits, ...types.flatMap(({ id, name }) => [id, name])];
  const name = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
  return { name, bits, types, madeOf };
}
