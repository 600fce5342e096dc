/** Stores in IndexedDB, which all tabs of a browser share: its transactions decide which tab is first. */
import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import * as z from 'zod/mini';
import {
  isNewerThan,
  isPending,
  type OfflineStore,
  type SavedEvent,
  type SavedScan,
  type SavedSession,
  savedScan,
  savedSession,
} from './offline-store.ts';

/** Names the database, its locks and its channel. Devices have data under it: keep it. */
const NAME = 'door';
const savedTickets = z.object({ tickets: z.instanceof(Uint8Array) });

const STORES = ['doors', 'tickets', 'scans'] as const;

interface Schema extends DBSchema {
  doors: { key: string; value: unknown };
  tickets: { key: string; value: unknown };
  scans: { key: [eventId: string, ticketKey: number]; value: unknown };
}
type Transaction<Mode extends IDBTransactionMode = 'readonly'> = IDBPTransaction<Schema, typeof STORES, Mode>;

export class IndexedDbStore implements OfflineStore {
  readonly #database = openOnDemand();
  readonly #channel = new BroadcastChannel(NAME);

  read(eventId: string): Promise<SavedEvent> {
    return this.#readIfExists({ session: null, tickets: null, scans: [] }, async (saved) => {
      const [session, list, scans] = await Promise.all([
        saved.objectStore('doors').get(eventId),
        saved.objectStore('tickets').get(eventId),
        scansIn(saved, eventId),
      ]);
      const [parsedSession, parsedTickets] = [savedSession.safeParse(session), savedTickets.safeParse(list)];
      return { session: parsedSession.data ?? null, tickets: parsedTickets.data?.tickets ?? null, scans };
    });
  }

  peek(eventId: string): Promise<{ isOpen: boolean; scans: SavedScan[] }> {
    return this.#readIfExists({ isOpen: false, scans: [] }, async (saved) => {
      const [sessions, scans] = await Promise.all([saved.objectStore('doors').count(eventId), scansIn(saved, eventId)]);
      return { isOpen: sessions > 0, scans };
    });
  }

  sessions(): Promise<{ eventId: string; session: SavedSession | null }[]> {
    return this.#readIfExists([], async (saved) => {
      const [sessions, scans] = await Promise.all([
        saved.objectStore('doors').getAll(),
        saved.objectStore('scans').getAll(),
      ]);
      const known = parseAll(savedSession, sessions).sort((a, b) => b.openedAt - a.openedAt);
      const others = new Set(parseAll(savedScan, scans).map(({ eventId }) => eventId));
      for (const { eventId } of known) others.delete(eventId);
      return [
        ...known.map((session) => ({ eventId: session.eventId, session })),
        ...[...others].map((eventId) => ({ eventId, session: null })),
      ];
    });
  }

  saveSession(session: SavedSession, bytes: Uint8Array | null): Promise<void> {
    return this.#write(session.eventId, async (saved) => {
      await saved.objectStore('doors').put(session);
      if (bytes) await saved.objectStore('tickets').put({ eventId: session.eventId, tickets: bytes });
    });
  }

  claim(scan: SavedScan, list: { askedAt: number } | null): Promise<SavedScan | null> {
    return this.#write(scan.eventId, async (saved) => {
      const scans = saved.objectStore('scans');
      const earlier = savedScan.safeParse(await scans.get([scan.eventId, scan.ticketKey]));
      if (earlier.success && isNewerThan(earlier.data, list)) return earlier.data;
      await scans.put(scan);
      return null;
    });
  }

  markSynced(eventId: string, scanIds: readonly string[], knownAt: number): Promise<void> {
    return this.#write(eventId, async (saved) => {
      const scans = await scansById(saved, eventId, scanIds);
      const synced = scans.map((scan) => ({ ...scan, confirmationNumber: null, knownAt }));
      await Promise.all(synced.map((scan) => saved.objectStore('scans').put(scan)));
    });
  }

  deleteScans(eventId: string, scanIds: readonly string[]): Promise<void> {
    return this.#write(eventId, async (saved) => {
      await deleteAll(saved, await scansById(saved, eventId, scanIds));
    });
  }

  async clear(eventId: string, includePending: boolean): Promise<void> {
    await this.#write(eventId, async (saved) => {
      await saved.objectStore('doors').delete(eventId);
      await saved.objectStore('tickets').delete(eventId);
      const scans = await scansIn(saved, eventId);
      await deleteAll(saved, includePending ? scans : scans.filter((scan) => !isPending(scan)));
    });
    await withWebLock(NAME, 'exclusive', () => this.#removeIfEmpty());
  }

  withLock<Result>(eventId: string, operation: () => Promise<Result>): Promise<Result> {
    return withWebLock(`${NAME} ${eventId}`, 'exclusive', operation);
  }

  onChange(eventId: string, listener: () => void): () => void {
    const onMessage = ({ data }: MessageEvent<unknown>) => {
      if (data === eventId) listener();
    };
    this.#channel.addEventListener('message', onMessage);
    return () => this.#channel.removeEventListener('message', onMessage);
  }

  async #removeIfEmpty(): Promise<void> {
    const left = await this.#transact('readonly', (saved) =>
      Promise.all(STORES.map((name) => saved.objectStore(name).count())),
    );
    if (left.every((count) => count === 0)) await this.#database.remove();
  }

  /** A read must not create the database. */
  async #readIfExists<Result>(fallback: Result, read: (saved: Transaction) => Promise<Result>): Promise<Result> {
    return (await this.#database.isThere()) ? this.#transact('readonly', read) : fallback;
  }

  /** The shared lock lets writes overlap, but not with the deletion of an empty database by another tab. */
  async #write<Result>(eventId: string, write: (saved: Transaction<'readwrite'>) => Promise<Result>): Promise<Result> {
    const result = await withWebLock(NAME, 'shared', () => this.#transact('readwrite', write));
    this.#channel.postMessage(eventId);
    return result;
  }

  async #transact<Mode extends 'readonly' | 'readwrite', Result>(
    mode: Mode,
    operation: (saved: Transaction<Mode>) => Promise<Result>,
  ): Promise<Result> {
    const transaction = (await this.#database.open()).transaction(STORES, mode);
    const [result] = await Promise.all([operation(transaction), transaction.done]);
    return result;
  }
}

/** Holds one connection, and closes it when another tab deletes the database. */
function openOnDemand() {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const reset = () => {
    opening = null;
  };

  async function open(): Promise<IDBPDatabase<Schema>> {
    const database = await openDB<Schema>(NAME, 1, {
      upgrade(created) {
        created.createObjectStore('doors', { keyPath: 'eventId' });
        created.createObjectStore('tickets', { keyPath: 'eventId' });
        created.createObjectStore('scans', { keyPath: ['eventId', 'ticketKey'] });
      },
      blocking() {
        reset();
        database.close();
      },
      terminated: reset,
    });
    return database;
  }

  return {
    async isThere(): Promise<boolean> {
      if (opening || !('databases' in indexedDB)) return true;
      return (await indexedDB.databases()).some(({ name }) => name === NAME);
    },
    open(): Promise<IDBPDatabase<Schema>> {
      opening ??= open().catch((cause: unknown) => {
        reset();
        throw cause;
      });
      return opening;
    },
    async remove() {
      const database = await opening;
      reset();
      database?.close();
      await deleteDB(NAME);
    },
  };
}

type AnyTransaction = Transaction | Transaction<'readwrite'>;

async function scansIn(saved: AnyTransaction, eventId: string): Promise<SavedScan[]> {
  // Arrays sort after strings and numbers, so this range covers every key that starts with the event.
  const range = IDBKeyRange.bound([eventId], [eventId, []]);
  return parseAll(savedScan, await saved.objectStore('scans').getAll(range));
}

async function scansById(saved: AnyTransaction, eventId: string, scanIds: readonly string[]): Promise<SavedScan[]> {
  const wanted = new Set(scanIds);
  return (await scansIn(saved, eventId)).filter(({ scanId }) => wanted.has(scanId));
}

async function deleteAll(saved: Transaction<'readwrite'>, scans: readonly SavedScan[]): Promise<void> {
  const keys = scans.map(({ eventId, ticketKey }): [string, number] => [eventId, ticketKey]);
  await Promise.all(keys.map((key) => saved.objectStore('scans').delete(key)));
}

/** Skips rows that an earlier version wrote in another shape. */
function parseAll<Shape extends z.ZodMiniType>(shape: Shape, rows: readonly unknown[]): z.infer<Shape>[] {
  return rows.flatMap((row) => {
    const read = shape.safeParse(row);
    return read.success ? [read.data] : [];
  });
}

/** Web Locks exist only on secure pages, as does the camera. */
async function withWebLock<Result>(name: string, mode: LockMode, operation: () => Promise<Result>): Promise<Result> {
  if (!('locks' in navigator)) return operation();
  return navigator.locks.request(name, { mode }, operation);
}
