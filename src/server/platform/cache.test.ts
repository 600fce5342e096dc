import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Computed, TimedCache } from './cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A cache with a source that the test controls. */
function testCache({ bytes = 1, maxBytes = 10, ttlMs = null as number | null, isLive = true } = {}) {
  const state = { word: 'old', made: 0, fails: false, errors: 0, barrier: null as Promise<void> | null };
  const cache = new TimedCache<string>({
    async compute(name): Promise<Computed<string> | null> {
      state.made += 1;
      const value = `${name} ${state.word}`;
      await state.barrier;
      if (state.fails) throw new Error('out of reach');
      return name.startsWith('no') ? null : { value, bytes, ttlMs };
    },
    isLive: () => isLive,
    onError: () => {
      state.errors += 1;
    },
    maxBytes,
  });
  const change = (word: string, name = 'a') => {
    state.word = word;
    cache.invalidate(name);
  };
  return { cache, state, change };
}

/** Empties the token bucket for immediate refreshes. */
async function exhaustBurst({ cache, change }: ReturnType<typeof testCache>): Promise<void> {
  for (let count = 0; count < 25; count++) {
    change(`rush ${count}`);
    await cache.get('a');
  }
}

/** Blocks the source until the returned function is called. */
function block(state: { barrier: Promise<void> | null }): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  state.barrier = promise;
  return resolve;
}

describe('TimedCache', () => {
  it('computes a value once for concurrent readers, then serves it without waiting', async () => {
    const { cache, state } = testCache();

    expect(cache.peek('a')).toBeUndefined();
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')])).toEqual(['a old', 'a old', 'a old']);
    expect(cache.peek('a')).toBe('a old');
    expect(state.made).toBe(1);
  });

  it('returns the new value after an isolated change', async () => {
    const { cache, change } = testCache();
    await cache.get('a');
    change('new');

    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBe('a new');
  });

  it('recomputes a value that changes while it is computed', async () => {
    const { cache, state, change } = testCache();
    const release = block(state);
    const early = cache.get('a');
    change('new');
    const late = cache.get('a');
    release();

    expect(await early).toBe('a old');
    expect(await late).toBe('a new');
    expect(cache.peek('a')).toBe('a new');
  });

  it('recomputes at most every 250 ms under frequent changes, and never serves a value 500 ms old', async () => {
    const busy = testCache();
    const { cache, state } = busy;
    await exhaustBurst(busy);
    const before = state.made;
    const started = performance.now();
    let oldest = 0;
    const changes: number[] = [];
    while (performance.now() - started < 1_500) {
      changes.push(performance.now());
      busy.change(String(changes.length - 1));
      const shown = Number((await cache.get('a'))?.split(' ').at(-1));
      // The first change that the served value does not include.
      const missed = changes[shown + 1];
      if (Number.isInteger(shown) && missed !== undefined) oldest = Math.max(oldest, performance.now() - missed);
      await pass(2);
    }

    expect(state.made - before).toBeLessThanOrEqual(8);
    expect(state.made - before).toBeGreaterThanOrEqual(4);
    expect(oldest).toBeLessThan(500);
  });

  it('serves the stale value while a throttled refresh is late, then waits for it', async () => {
    const busy = testCache();
    const { cache, state } = busy;
    await exhaustBurst(busy);
    const release = block(state);
    busy.change('late');
    await pass(200);
    const old = cache.peek('a');
    await pass(1_199);

    expect(old).toMatch(/^a rush/);
    expect(cache.peek('a')).toBe(old);
    await pass(1);
    expect(cache.peek('a')).toBeUndefined();
    release();
    expect(await cache.get('a')).toBe('a late');
  });

  it('is fresh for the first reader after frequent changes end', async () => {
    const busy = testCache();
    await exhaustBurst(busy);
    busy.change('last');
    await pass(450);

    expect(await busy.cache.get('a')).toBe('a last');
  });

  it('expires after its time to live', async () => {
    const { cache, state } = testCache({ ttlMs: 30 });
    await cache.get('a');
    state.word = 'new';
    await pass(29);
    expect(cache.peek('a')).toBe('a old');
    await pass(1);

    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBe('a new');
  });

  it('expires after 250 ms while invalidations cannot arrive', async () => {
    const { cache, state } = testCache({ isLive: false });
    await cache.get('a');
    state.word = 'new';
    await pass(249);
    expect(cache.peek('a')).toBe('a old');
    await pass(1);

    expect(await cache.get('a')).toBe('a new');
  });

  it('serves the stale value for a while when a refresh fails, and retries', async () => {
    const { cache, state, change } = testCache();
    await cache.get('a');
    change('new');
    state.fails = true;

    expect(await cache.get('a')).toBe('a old');
    expect(cache.peek('a')).toBe('a old');
    expect(state.errors).toBe(1);
    state.fails = false;
    await pass(249);
    expect(await cache.get('a')).toBe('a old');
    await pass(1);
    expect(await cache.get('a')).toBe('a new');
    state.fails = true;
    await expect(cache.get('b')).rejects.toThrow('out of reach');
  });

  it('serves the stale value when a refresh takes too long', async () => {
    const { cache, state, change } = testCache();
    await cache.get('a');
    change('new');
    const release = block(state);
    const answered = vi.fn<(word: string | null) => void>();
    void cache.get('a').then(answered);

    await pass(999);
    expect(answered).not.toHaveBeenCalled();
    await pass(1);
    expect(answered).toHaveBeenCalledWith('a old');
    release();
  });

  it('evicts the least recently used entry', async () => {
    const { cache } = testCache({ bytes: 4, maxBytes: 10 });
    await cache.get('a');
    await cache.get('b');
    cache.peek('a');
    await cache.get('c');

    expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual(['a old', undefined, 'c old']);
    expect(cache.size).toBe(2);
  });

  it('does not cache misses', async () => {
    const { cache } = testCache();
    for (let name = 0; name < 50; name++) expect(await cache.get(`nothing ${name}`)).toBeNull();

    expect(cache.size).toBe(0);
  });
});
