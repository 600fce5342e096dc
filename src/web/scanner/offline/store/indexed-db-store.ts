/** The store in the browser's database, which the tabs of one browser share: its transactions decide who is first. */
import * as z from 'zod/mini';
import {
  type DoorStore,
  isAheadOf,
  isWaiting,
  type KeptDoor,
  type KeptEvent,
  type KeptScan,
  keptDoor,
  keptScan,
} from './offline-store.ts';

const NAME = 'door';
const keptTickets = z.object({ tickets: z.instanceof(Uint8Array) });

type Mode = 'readonly' | 'readwrite';
type Work<Result> = (stores: {
  doors: IDBObjectStore;
  tickets: IDBObjectStore;
  scans: IDBObjectStore;
}) => Promise<Result>;

export class IndexedDoorStore implements DoorStore {
  readonly #base = keepOpen();
  readonly #channel = new BroadcastChannel(NAME);

  read(eventId: string): Promise<KeptEvent> {
    return this.#look({ door: null, tickets: null, scans: [] }, async ({ doors, tickets, scans }) => {
      const [door, list, own] = await Promise.all([
        answerOf<unknown>(doors.get(eventId)),
        answerOf<unknown>(tickets.get(eventId)),
        scansIn(scans, eventId),
      ]);
      const [readDoor, readList] = [keptDoor.safeParse(door), keptTickets.safeParse(list)];
      return { door: readDoor.data ?? null, tickets: readList.data?.tickets ?? null, scans: own };
    });
  }

  glance(eventId: string): Promise<{ isOpen: boolean; scans: KeptScan[] }> {
    return this.#look({ isOpen: false, scans: [] }, async ({ doors, scans }) => {
      const [doorsHere, own] = await Promise.all([answerOf(doors.count(eventId)), scansIn(scans, eventId)]);
      return { isOpen: doorsHere > 0, scans: own };
    });
  }

  doors(): Promise<{ eventId: string; door: KeptDoor | null }[]> {
    return this.#look([], async ({ doors, scans }) => {
      const [rows, waiting] = await Promise.all([
        answerOf<unknown[]>(doors.getAll()),
        answerOf<unknown[]>(scans.getAll()),
      ]);
      const known = readAll(keptDoor, rows).sort((a, b) => b.openedAt - a.openedAt);
      const others = new Set(readAll(keptScan, waiting).map(({ eventId }) => eventId));
      for (const { eventId } of known) others.delete(eventId);
      return [
        ...known.map((door) => ({ eventId: door.eventId, door })),
        ...[...others].map((eventId) => ({ eventId, door: null })),
      ];
    });
  }

  putDoor(door: KeptDoor, bytes: Uint8Array | null): Promise<void> {
    return this.#change(door.eventId, async ({ doors, tickets }) => {
      doors.put(door);
      if (bytes) tickets.put({ eventId: door.eventId, tickets: bytes });
    });
  }

  claim(scan: KeptScan, list: { askedAt: number } | null): Promise<KeptScan | null> {
    return this.#change(scan.eventId, async ({ scans }) => {
      const earlier = keptScan.safeParse(await answerOf<unknown>(scans.get([scan.eventId, scan.ticketKey])));
      if (earlier.success && isAheadOf(earlier.data, list)) return earlier.data;
      scans.put(scan);
      return null;
    });
  }

  markKnown(eventId: string, scanIds: readonly string[], knownAt: number): Promise<void> {
    return this.#change(eventId, async ({ scans }) => {
      for (const scan of await these(scans, eventId, scanIds)) {
        scans.put({ ...scan, confirmationNumber: null, knownAt });
      }
    });
  }

  drop(eventId: string, scanIds: readonly string[]): Promise<void> {
    return this.#change(eventId, async ({ scans }) => {
      for (const { ticketKey } of await these(scans, eventId, scanIds)) scans.delete([eventId, ticketKey]);
    });
  }

  async forget(eventId: string, evenWaiting: boolean): Promise<void> {
    await this.#change(eventId, async ({ doors, tickets, scans }) => {
      doors.delete(eventId);
      tickets.delete(eventId);
      for (const scan of await scansIn(scans, eventId)) {
        if (evenWaiting || !isWaiting(scan)) scans.delete([eventId, scan.ticketKey]);
      }
    });
    await locked(NAME, 'exclusive', () => this.#removeIfEmpty());
  }

  inTurn<Result>(eventId: string, work: () => Promise<Result>): Promise<Result> {
    return locked(`${NAME} ${eventId}`, 'exclusive', work);
  }

  onChange(eventId: string, listener: () => void): () => void {
    const heard = ({ data }: MessageEvent<unknown>) => {
      if (data === eventId) listener();
    };
    this.#channel.addEventListener('message', heard);
    return () => this.#channel.removeEventListener('message', heard);
  }

  async #removeIfEmpty(): Promise<void> {
    const left = await this.#within('readonly', ({ doors, tickets, scans }) =>
      Promise.all([doors, tickets, scans].map((store) => answerOf(store.count()))),
    );
    if (left.every((count) => count === 0)) await this.#base.remove();
  }

  /** Whoever only looks leaves no empty database behind. */
  async #look<Result>(nothing: Result, work: Work<Result>): Promise<Result> {
    return (await this.#base.isThere()) ? this.#within('readonly', work) : nothing;
  }

  /** Side by side with other changes, but never while a tab deletes the emptied database. */
  async #change<Result>(eventId: string, work: Work<Result>): Promise<Result> {
    const result = await locked(NAME, 'shared', () => this.#within('readwrite', work));
    this.#channel.postMessage(eventId);
    return result;
  }

  async #within<Result>(mode: Mode, work: Work<Result>): Promise<Result> {
    const transaction = (await this.#base.open()).transaction(['doors', 'tickets', 'scans'], mode);
    const isDone = doneOf(transaction);
    const stores = {
      doors: transaction.objectStore('doors'),
      tickets: transaction.objectStore('tickets'),
      scans: transaction.objectStore('scans'),
    };
    const [result] = await Promise.all([work(stores), isDone]);
    return result;
  }
}

/** One connection, which makes way when another tab deletes the database. */
function keepOpen() {
  let opening: Promise<IDBDatabase> | null = null;
  const letGo = () => {
    opening = null;
  };

  async function open(): Promise<IDBDatabase> {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('doors', { keyPath: 'eventId' });
      request.result.createObjectStore('tickets', { keyPath: 'eventId' });
      request.result.createObjectStore('scans', { keyPath: ['eventId', 'ticketKey'] });
    };
    const base = await answerOf(request);
    base.onversionchange = () => {
      letGo();
      base.close();
    };
    base.onclose = letGo;
    return base;
  }

  return {
    async isThere(): Promise<boolean> {
      if (opening || !('databases' in indexedDB)) return true;
      return (await indexedDB.databases()).some(({ name }) => name === NAME);
    },
    open(): Promise<IDBDatabase> {
      opening ??= open().catch((cause: unknown) => {
        letGo();
        throw cause;
      });
      return opening;
    },
    async remove() {
      const base = await opening;
      letGo();
      base?.close();
      await answerOf(indexedDB.deleteDatabase(NAME));
    },
  };
}

async function scansIn(scans: IDBObjectStore, eventId: string): Promise<KeptScan[]> {
  // Arrays sort after every number, so that this holds all keys which begin with the event.
  return readAll(keptScan, await answerOf<unknown[]>(scans.getAll(IDBKeyRange.bound([eventId], [eventId, []]))));
}

async function these(scans: IDBObjectStore, eventId: string, scanIds: readonly string[]): Promise<KeptScan[]> {
  const wanted = new Set(scanIds);
  return (await scansIn(scans, eventId)).filter(({ scanId }) => wanted.has(scanId));
}

/** What an earlier version of this page wrote in another shape is no harm, and no use. */
function readAll<Shape extends z.ZodMiniType>(shape: Shape, rows: readonly unknown[]): z.infer<Shape>[] {
  return rows.flatMap((row) => {
    const read = shape.safeParse(row);
    return read.success ? [read.data] : [];
  });
}

/** Only secure pages have locks, as only these have a camera. */
async function locked<Result>(name: string, mode: LockMode, work: () => Promise<Result>): Promise<Result> {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(name, { mode }, work);
}

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'));
  });
}

function doneOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser kept nothing here'));
  });
}
