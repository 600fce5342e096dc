/**
 * A cache with explicit invalidation, for values that are read far more often than they change.
 *
 * After an isolated change, the next reader waits for the new value. When changes come faster than that (during a sale), the
 * value is recomputed at most every REFRESH_INTERVAL_MS and readers get the stale value in between.
 */

const REFRESH_INTERVAL_MS = 250;
/** Burst size of the token bucket for immediate refreshes; it refills by one every REFRESH_INTERVAL_MS. */
const REFRESH_BURST = 8;
/** An older value is served only while a refresh is pending or failing. */
const MAX_STALE_MS = 400;
const MAX_STALE_ON_ERROR_MS = 30_000;
/** A reader waits this long for a refresh before it gets the stale value. */
const REFRESH_TIMEOUT_MS = 1_000;
/** Limits how long a missed invalidation can go unnoticed. */
const MAX_AGE_MS = 60_000;

export interface Computed<T> {
  value: T;
  bytes: number;
  /** Time to live without an invalidation; null: unlimited. */
  ttlMs: number | null;
}

export interface CacheOptions<T> {
  /** Null if there is no such value. Misses are not cached, so that made-up names cannot fill the memory. */
  compute(name: string): Promise<Computed<T> | null>;
  /** False while invalidations cannot arrive. */
  isLive(): boolean;
  onError(error: unknown, name: string): void;
  maxBytes: number;
}

interface Entry<T> {
  value: T;
  bytes: number;
  freshUntil: number;
  /** When the token bucket is full again. */
  bucketFullAt: number;
  /** Time of the next attempt after a failure. */
  retryAt: number;
  refreshTimer: NodeJS.Timeout | null;
}

interface Pending<T> {
  result: Promise<T | null>;
  changedAt: number;
  isThrottled: boolean;
}

export class TimedCache<T> {
  /** In least-recently-used order. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #pending = new Map<string, Pending<T>>();
  readonly #options: CacheOptions<T>;
  #bytes = 0;
  #mostRecent = '';

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  /** The value if it can be served without waiting, else undefined. */
  peek(name: string): T | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const now = performance.now();
    if (now >= entry.freshUntil && !this.#canServeStale(name, entry, now)) return undefined;
    if (name !== this.#mostRecent) {
      this.#entries.delete(name);
      this.#entries.set(name, entry);
      this.#mostRecent = name;
    }
    return entry.value;
  }

  async get(name: string): Promise<T | null> {
    const ready = this.peek(name);
    if (ready !== undefined) return ready;
    const stale = this.#entries.get(name);
    const made = this.#computeOnce(name);
    if (!stale || performance.now() - stale.freshUntil > MAX_STALE_ON_ERROR_MS) return made;
    return orStaleAfterTimeout(made, stale.value);
  }

  invalidate(name: string): void {
    const now = performance.now();
    const entry = this.#entries.get(name);
    if (entry) entry.freshUntil = Math.min(entry.freshUntil, now);
    const pending = this.#pending.get(name);
    if (pending) pending.changedAt = Math.min(pending.changedAt, now);
  }

  invalidateAll(): void {
    for (const name of [...this.#entries.keys(), ...this.#pending.keys()]) this.invalidate(name);
  }

  get size(): number {
    return this.#entries.size;
  }

  #canServeStale(name: string, entry: Entry<T>, now: number): boolean {
    const staleFor = now - entry.freshUntil;
    if (now < entry.retryAt && staleFor < MAX_STALE_ON_ERROR_MS) return true;
    // The refresh is late because the machine is overloaded; waiting readers would add to the load.
    if (this.#pending.get(name)?.isThrottled) return staleFor < MAX_STALE_MS + REFRESH_TIMEOUT_MS;
    if (!isThrottled(entry, now) || staleFor >= MAX_STALE_MS) return false;
    const allowedAt = entry.bucketFullAt - REFRESH_INTERVAL_MS * (REFRESH_BURST - 1);
    const refresh = () => void this.#computeOnce(name).catch(() => {});
    entry.refreshTimer ??= setTimeout(refresh, Math.max(0, allowedAt - now)).unref();
    return true;
  }

  #computeOnce(name: string): Promise<T | null> {
    const pending = this.#pending.get(name);
    if (!pending) return this.#compute(name);
    if (pending.changedAt === Number.POSITIVE_INFINITY) return pending.result;
    // It started before a change that this caller may know about.
    return pending.result.then(
      () => this.get(name),
      () => this.get(name),
    );
  }

  #compute(name: string): Promise<T | null> {
    const startedAt = performance.now();
    const stale = this.#entries.get(name);
    if (stale?.refreshTimer) clearTimeout(stale.refreshTimer);
    const pending: Pending<T> = {
      result: Promise.resolve(null),
      changedAt: Number.POSITIVE_INFINITY,
      isThrottled: stale !== undefined && isThrottled(stale, startedAt),
    };
    const bucketFullAt = Math.max(stale?.bucketFullAt ?? 0, startedAt) + REFRESH_INTERVAL_MS;
    if (stale) Object.assign(stale, { refreshTimer: null, bucketFullAt });
    this.#pending.set(name, pending);
    pending.result = this.#options.compute(name).then(
      (made) => {
        this.#pending.delete(name);
        this.#evict(name);
        if (made) this.#store(name, made, { startedAt, bucketFullAt, changedAt: pending.changedAt });
        return made?.value ?? null;
      },
      (error: unknown) => {
        this.#pending.delete(name);
        const entry = this.#entries.get(name);
        if (entry) entry.retryAt = performance.now() + REFRESH_INTERVAL_MS;
        this.#options.onError(error, name);
        throw error;
      },
    );
    return pending.result;
  }

  #store(
    name: string,
    { value, bytes, ttlMs }: Computed<T>,
    { startedAt, bucketFullAt, changedAt }: { startedAt: number; bucketFullAt: number; changedAt: number },
  ): void {
    const maxAge = this.#options.isLive() ? MAX_AGE_MS : REFRESH_INTERVAL_MS;
    const freshUntil = Math.min(changedAt, startedAt + Math.min(ttlMs ?? maxAge, maxAge));
    this.#entries.set(name, { value, bytes, freshUntil, bucketFullAt, retryAt: 0, refreshTimer: null });
    this.#mostRecent = name;
    this.#bytes += bytes;
    for (const leastRecent of this.#entries.keys()) {
      if (this.#bytes <= this.#options.maxBytes) break;
      this.#evict(leastRecent);
    }
  }

  #evict(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    if (entry.refreshTimer) clearTimeout(entry.refreshTimer);
    this.#bytes -= entry.bytes;
    this.#entries.delete(name);
  }
}

/** Whether the token bucket is empty, so that refreshes are throttled. */
function isThrottled({ bucketFullAt }: { bucketFullAt: number }, now: number): boolean {
  return bucketFullAt - now > REFRESH_INTERVAL_MS * (REFRESH_BURST - 2);
}

/** Falls back to the stale value on an error or a timeout. */
async function orStaleAfterTimeout<T>(made: Promise<T | null>, stale: T): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(stale), REFRESH_TIMEOUT_MS).unref();
  });
  return Promise.race([made.catch(() => stale), timeout]).finally(() => clearTimeout(timer));
}
