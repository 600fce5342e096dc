/**
 * Values that are asked for far more often than they change, kept until somebody says that they have changed.
 *
 * A change after a quiet time is seen by whoever asks next: they wait for the new value. When changes come faster than
 * that pays (a sale), the value is made anew at most every REMAKE_EVERY_MS, and until then everyone gets the one before.
 */

const REMAKE_EVERY_MS = 250;
/** So many in a row are made as soon as somebody asks; the allowance comes back one each REMAKE_EVERY_MS. */
const PROMPT_REMAKES = 8;
/** Older than this, a value is only served while the next is being made, or when none can be had. */
const STALE_AT_MOST_MS = 400;
const STALE_IN_NEED_MS = 30_000;
/** How long people wait for a new value when there is an old one. */
const PATIENCE_MS = 1_000;
/** A change that nobody told of ends here. */
const LONGEST_LIFE_MS = 60_000;

export interface Made<T> {
  value: T;
  bytes: number;
  /** How long it holds if nobody says otherwise; null for as long as one likes. */
  lastsMs: number | null;
}

export interface CacheOptions<T> {
  /** Null where there is no such thing: that is not kept, or made-up names would fill the memory. */
  make(name: string): Promise<Made<T> | null>;
  /** False while nobody would hear of a change. */
  isTold(): boolean;
  onError(error: unknown, name: string): void;
  mostBytes: number;
}

interface Entry<T> {
  value: T;
  bytes: number;
  freshUntil: number;
  /** When the allowance of prompt remakes is whole again. */
  restedAt: number;
  /** After a failure: when it is worth trying again. */
  retryAt: number;
  remaking: NodeJS.Timeout | null;
}

interface Making<T> {
  result: Promise<T | null>;
  changedAt: number;
  isHurried: boolean;
}

export class TimedCache<T> {
  /** The least recently asked for comes first. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #making = new Map<string, Making<T>>();
  readonly #options: CacheOptions<T>;
  #bytes = 0;
  #newest = '';

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  /** What can be served without waiting; undefined otherwise. */
  ready(name: string): T | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const now = performance.now();
    if (now >= entry.freshUntil && !this.#mayBeOld(name, entry, now)) return undefined;
    if (name !== this.#newest) {
      this.#entries.delete(name);
      this.#entries.set(name, entry);
      this.#newest = name;
    }
    return entry.value;
  }

  async get(name: string): Promise<T | null> {
    const ready = this.ready(name);
    if (ready !== undefined) return ready;
    const old = this.#entries.get(name);
    const made = this.#makeOnce(name);
    if (!old || performance.now() - old.freshUntil > STALE_IN_NEED_MS) return made;
    return patiently(made, old.value);
  }

  changed(name: string): void {
    const now = performance.now();
    const entry = this.#entries.get(name);
    if (entry) entry.freshUntil = Math.min(entry.freshUntil, now);
    const making = this.#making.get(name);
    if (making) making.changedAt = Math.min(making.changedAt, now);
  }

  allChanged(): void {
    for (const name of [...this.#entries.keys(), ...this.#making.keys()]) this.changed(name);
  }

  get size(): number {
    return this.#entries.size;
  }

  #mayBeOld(name: string, entry: Entry<T>, now: number): boolean {
    const staleFor = now - entry.freshUntil;
    if (now < entry.retryAt && staleFor < STALE_IN_NEED_MS) return true;
    // The next one is late because the machine is busy: people who wait would only make it busier.
    if (this.#making.get(name)?.isHurried) return staleFor < STALE_AT_MOST_MS + PATIENCE_MS;
    if (!isHurried(entry, now) || staleFor >= STALE_AT_MOST_MS) return false;
    const allowedAt = entry.restedAt - REMAKE_EVERY_MS * (PROMPT_REMAKES - 1);
    const remake = () => void this.#makeOnce(name).catch(() => {});
    entry.remaking ??= setTimeout(remake, Math.max(0, allowedAt - now)).unref();
    return true;
  }

  #makeOnce(name: string): Promise<T | null> {
    const making = this.#making.get(name);
    if (!making) return this.#make(name);
    if (making.changedAt === Number.POSITIVE_INFINITY) return making.result;
    // It began before the change that this caller may know of.
    return making.result.then(
      () => this.get(name),
      () => this.get(name),
    );
  }

  #make(name: string): Promise<T | null> {
    const begunAt = performance.now();
    const old = this.#entries.get(name);
    if (old?.remaking) clearTimeout(old.remaking);
    const making: Making<T> = {
      result: Promise.resolve(null),
      changedAt: Number.POSITIVE_INFINITY,
      isHurried: old !== undefined && isHurried(old, begunAt),
    };
    const restedAt = Math.max(old?.restedAt ?? 0, begunAt) + REMAKE_EVERY_MS;
    if (old) Object.assign(old, { remaking: null, restedAt });
    this.#making.set(name, making);
    making.result = this.#options.make(name).then(
      (made) => {
        this.#making.delete(name);
        this.#drop(name);
        if (made) this.#keep(name, made, { begunAt, restedAt, changedAt: making.changedAt });
        return made?.value ?? null;
      },
      (error: unknown) => {
        this.#making.delete(name);
        const entry = this.#entries.get(name);
        if (entry) entry.retryAt = performance.now() + REMAKE_EVERY_MS;
        this.#options.onError(error, name);
        throw error;
      },
    );
    return making.result;
  }

  #keep(
    name: string,
    { value, bytes, lastsMs }: Made<T>,
    { begunAt, restedAt, changedAt }: { begunAt: number; restedAt: number; changedAt: number },
  ): void {
    const longest = this.#options.isTold() ? LONGEST_LIFE_MS : REMAKE_EVERY_MS;
    const freshUntil = Math.min(changedAt, begunAt + Math.min(lastsMs ?? longest, longest));
    this.#entries.set(name, { value, bytes, freshUntil, restedAt, retryAt: 0, remaking: null });
    this.#newest = name;
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#options.mostBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    if (entry.remaking) clearTimeout(entry.remaking);
    this.#bytes -= entry.bytes;
    this.#entries.delete(name);
  }
}

/** Whether the allowance is used up, so that it is made at its pace and not for whoever asks. */
function isHurried({ restedAt }: { restedAt: number }, now: number): boolean {
  return restedAt - now > REMAKE_EVERY_MS * (PROMPT_REMAKES - 2);
}

/** An old value is better than none, and than waiting for long. */
async function patiently<T>(made: Promise<T | null>, old: T): Promise<T | null> {
  let patience: NodeJS.Timeout | undefined;
  const enough = new Promise<T>((resolve) => {
    patience = setTimeout(() => resolve(old), PATIENCE_MS).unref();
  });
  return Promise.race([made.catch(() => old), enough]).finally(() => clearTimeout(patience));
}
