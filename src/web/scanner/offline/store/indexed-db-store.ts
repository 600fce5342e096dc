/** Stores in IndexedDB, which all tabs of a browser share: its transactions decide which tab is first. */
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

type Mode = 'readonly' | 'readwrite';
type Operation<Result> = (stores: {
  sessions: IDBObjectStore;
  tickets: IDBObjectStore;
  scans: IDBObjectStore;
}) => Promise<Result>;

export class IndexedDbStore implements OfflineStore {
  readonly #database = openOnDemand();
  readonly #channel = new BroadcastChannel(NAME);

  read(eventId: string): Promise<SavedEvent> {
    return this.#readIfExists({ session: null, tickets: null, scans: [] }, async ({ sessions, tickets, scans }) => {
      const [session, list, ownScans] = await Promise.all([
        resultOf<unknown>(sessions.get(eventId)),
        resultOf<unknown>(tickets.get(eventId)),
        scansIn(scans, eventId),
      ]);
      const [parsedSession, parsedTickets] = [savedSession.safeParse(session), savedTickets.safeParse(list)];
      return { session: parsedSession.data ?? null, tickets: parsedTickets.data?.tickets ?? null, scans: ownScans };
    });
  }

  peek(eventId: string): Promise<{ isOpen: boolean; scans: SavedScan[] }> {
    return this.#readIfExists({ isOpen: false, scans: [] }, async ({ sessions, scans }) => {
      const [sessionCount, ownScans] = await Promise.all([resultOf(sessions.count(eventId)), scansIn(scans, eventId)]);
      return { isOpen: sessionCount > 0, scans: ownScans };
    });
  }

  sessions(): Promise<{ eventId: string; session: SavedSession | null }[]> {
    return this.#readIfExists([], async ({ sessions, scans }) => {
      const [rows, waiting] = await Promise.all([
        resultOf<unknown[]>(sessions.getAll()),
        resultOf<unknown[]>(scans.getAll()),
      ]);
      const known = parseAll(savedSession, rows).sort((a, b) => b.openedAt - a.openedAt);
      const others = new Set(parseAll(savedScan, waiting).map(({ eventId }) => eventId));
      for (const { eventId } of known) others.delete(eventId);
      return [
        ...known.map((session) => ({ eventId: session.eventId, session })),
        ...[...others].map((eventId) => ({ eventId, session: null })),
      ];
    });
  }

  saveSession(session: SavedSession, bytes: Uint8Array | null): Promise<void> {
    return this.#write(session.eventId, async ({ sessions, tickets }) => {
      sessions.put(session);
      if (bytes) tickets.put({ eventId: session.eventId, tickets: bytes });
    });
  }

  claim(scan: SavedScan, list: { askedAt: number } | null): Promise<SavedScan | null> {
    return this.#write(scan.eventId, async ({ scans }) => {
      const earlier = savedScan.safeParse(await resultOf<unknown>(scans.get([scan.eventId, scan.ticketKey])));
      if (earlier.success && isNewerThan(earlier.data, list)) return earlier.data;
      scans.put(scan);
      return null;
    });
  }

  markSynced(eventId: string, scanIds: readonly string[], knownAt: number): Promise<void> {
    return this.#write(eventId, async ({ scans }) => {
      for (const scan of await scansById(scans, eventId, scanIds)) {
        scans.put({ ...scan, confirmationNumber: null, knownAt });
      }
    });
  }

  deleteScans(eventId: string, scanIds: readonly string[]): Promise<void> {
    return this.#write(eventId, async ({ scans }) => {
      for (const { ticketKey } of await scansById(scans, eventId, scanIds)) scans.delete([eventId, ticketKey]);
    });
  }

  async clear(eventId: string, includePending: boolean): Promise<void> {
    await this.#write(eventId, async ({ sessions, tickets, scans }) => {
      sessions.delete(eventId);
      tickets.delete(eventId);
      for (const scan of await scansIn(scans, eventId)) {
        if (includePending || !isPending(scan)) scans.delete([eventId, scan.ticketKey]);
      }
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
    const left = await this.#transact('readonly', ({ sessions, tickets, scans }) =>
      Promise.all([sessions, tickets, scans].map((store) => resultOf(store.count()))),
    );
    if (left.every((count) => count === 0)) await this.#database.remove();
  }

  /** A read must not create the database. */
  async #readIfExists<Result>(fallback: Result, operation: Operation<Result>): Promise<Result> {
    return (await this.#database.isThere()) ? this.#transact('readonly', operation) : fallback;
  }

  /** The shared lock lets writes overlap, but not with the deletion of an empty database by another tab. */
  async #write<Result>(eventId: string, operation: Operation<Result>): Promise<Result> {
    const result = await withWebLock(NAME, 'shared', () => this.#transact('readwrite', operation));
    this.#channel.postMessage(eventId);
    return result;
  }

  async #transact<Result>(mode: Mode, operation: Operation<Result>): Promise<Result> {
    const transaction = (await this.#database.open()).transaction(['doors', 'tickets', 'scans'], mode);
    const isDone = completionOf(transaction);
    const stores = {
      sessions: transaction.objectStore('doors'),
      tickets: transaction.objectStore('tickets'),
      scans: transaction.objectStore('scans'),
    };
    const [result] = await Promise.all([operation(stores), isDone]);
    return result;
  }
}

/** Holds one connection, and closes it when another tab deletes the database. */
function openOnDemand() {
  let opening: Promise<IDBDatabase> | null = null;
  const reset = () => {
    opening = null;
  };

  async function open(): Promise<IDBDatabase> {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('doors', { keyPath: 'eventId' });
      request.result.createObjectStore('tickets', { keyPath: 'eventId' });
      request.result.createObjectStore('scans', { keyPath: ['eventId', 'ticketKey'] });
    };
    const database = await resultOf(request);
    database.onversionchange = () => {
      reset();
      database.close();
    };
    database.onclose = reset;
    return database;
  }

  return {
    async isThere(): Promise<boolean> {
      if (opening || !('databases' in indexedDB)) return true;
      return (await indexedDB.databases()).some(({ name }) => name === NAME);
    },
    open(): Promise<IDBDatabase> {
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
      await resultOf(indexedDB.deleteDatabase(NAME));
    },
  };
}

async function scansIn(scans: IDBObjectStore, eventId: string): Promise<SavedScan[]> {
  // Arrays sort after strings and numbers, so this range covers every key that starts with the event.
  return parseAll(savedScan, await resultOf<unknown[]>(scans.getAll(IDBKeyRange.bound([eventId], [eventId, []]))));
}

async function scansById(scans: IDBObjectStore, eventId: string, scanIds: readonly string[]): Promise<SavedScan[]> {
  const wanted = new Set(scanIds);
  return (await scansIn(scans, eventId)).filter(({ scanId }) => wanted.has(scanId));
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

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'));
  });
}

function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB transaction aborted'));
  });
}
