import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Made, TimedCache } from './cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** What is to be kept, and how often it was made. */
function shelf({ bytes = 1, mostBytes = 10, lastsMs = null as number | null, isTold = true } = {}) {
  const state = { word: 'old', made: 0, fails: false, errors: 0, hold: null as Promise<void> | null };
  const kept = new TimedCache<string>({
    async make(name): Promise<Made<string> | null> {
      state.made += 1;
      const value = `${name} ${state.word}`;
      await state.hold;
      if (state.fails) throw new Error('out of reach');
      return name.startsWith('no') ? null : { value, bytes, lastsMs };
    },
    isTold: () => isTold,
    onError: () => {
      state.errors += 1;
    },
    mostBytes,
  });
  const change = (word: string, name = 'a') => {
    state.word = word;
    kept.changed(name);
  };
  return { kept, state, change };
}

/** Uses up what may be made at once, as a rush of changes does. */
async function rush({ kept, change }: ReturnType<typeof shelf>): Promise<void> {
  for (let count = 0; count < 25; count++) {
    change(`rush ${count}`);
    await kept.get('a');
  }
}

/** What is being made waits until it is released. */
function holdOpen(state: { hold: Promise<void> | null }): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  state.hold = promise;
  return resolve;
}

describe('what is kept', () => {
  it('is made once for all who ask at the same time, and then served without waiting', async () => {
    const { kept, state } = shelf();

    expect(kept.ready('a')).toBeUndefined();
    expect(await Promise.all([kept.get('a'), kept.get('a'), kept.get('a')])).toEqual(['a old', 'a old', 'a old']);
    expect(kept.ready('a')).toBe('a old');
    expect(state.made).toBe(1);
  });

  it('is new for whoever asks after a change in a quiet time', async () => {
    const { kept, change } = shelf();
    await kept.get('a');
    change('new');

    expect(kept.ready('a')).toBeUndefined();
    expect(await kept.get('a')).toBe('a new');
  });

  it('is made again when it changed while it was being made', async () => {
    const { kept, state, change } = shelf();
    const release = holdOpen(state);
    const early = kept.get('a');
    change('new');
    const late = kept.get('a');
    release();

    expect(await early).toBe('a old');
    expect(await late).toBe('a new');
    expect(kept.ready('a')).toBe('a new');
  });

  it('is made at most every quarter of a second in a rush, and is never half a second old', async () => {
    const rushing = shelf();
    const { kept, state } = rushing;
    await rush(rushing);
    const before = state.made;
    const started = performance.now();
    let oldest = 0;
    const changes: number[] = [];
    while (performance.now() - started < 1_500) {
      changes.push(performance.now());
      rushing.change(String(changes.length - 1));
      const shown = Number((await kept.get('a'))?.split(' ').at(-1));
      // The first change that what is shown does not know of.
      const missed = changes[shown + 1];
      if (Number.isInteger(shown) && missed !== undefined) oldest = Math.max(oldest, performance.now() - missed);
      await pass(2);
    }

    expect(state.made - before).toBeLessThanOrEqual(8);
    expect(state.made - before).toBeGreaterThanOrEqual(4);
    expect(oldest).toBeLessThan(500);
  });

  it('is served old in a rush while the next one is late, and then waited for', async () => {
    const rushing = shelf();
    const { kept, state } = rushing;
    await rush(rushing);
    const release = holdOpen(state);
    rushing.change('late');
    await pass(200);
    const old = kept.ready('a');
    await pass(1_199);

    expect(old).toMatch(/^a rush/);
    expect(kept.ready('a')).toBe(old);
    await pass(1);
    expect(kept.ready('a')).toBeUndefined();
    release();
    expect(await kept.get('a')).toBe('a late');
  });

  it('is new after a rush, also for the first who asks long after it', async () => {
    const rushing = shelf();
    await rush(rushing);
    rushing.change('last');
    await pass(450);

    expect(await rushing.kept.get('a')).toBe('a last');
  });

  it('ends by itself where time changes it', async () => {
    const { kept, state } = shelf({ lastsMs: 30 });
    await kept.get('a');
    state.word = 'new';
    await pass(29);
    expect(kept.ready('a')).toBe('a old');
    await pass(1);

    expect(kept.ready('a')).toBeUndefined();
    expect(await kept.get('a')).toBe('a new');
  });

  it('lasts a quarter of a second while nobody would tell of a change', async () => {
    const { kept, state } = shelf({ isTold: false });
    await kept.get('a');
    state.word = 'new';
    await pass(249);
    expect(kept.ready('a')).toBe('a old');
    await pass(1);

    expect(await kept.get('a')).toBe('a new');
  });

  it('is served old for a while when it cannot be made anew, and tried again', async () => {
    const { kept, state, change } = shelf();
    await kept.get('a');
    change('new');
    state.fails = true;

    expect(await kept.get('a')).toBe('a old');
    expect(kept.ready('a')).toBe('a old');
    expect(state.errors).toBe(1);
    state.fails = false;
    await pass(249);
    expect(await kept.get('a')).toBe('a old');
    await pass(1);
    expect(await kept.get('a')).toBe('a new');
    state.fails = true;
    await expect(kept.get('b')).rejects.toThrow('out of reach');
  });

  it('is served old when a new one takes too long', async () => {
    const { kept, state, change } = shelf();
    await kept.get('a');
    change('new');
    const release = holdOpen(state);
    const answered = vi.fn<(word: string | null) => void>();
    void kept.get('a').then(answered);

    await pass(999);
    expect(answered).not.toHaveBeenCalled();
    await pass(1);
    expect(answered).toHaveBeenCalledWith('a old');
    release();
  });

  it('makes room by letting go what was asked for longest ago', async () => {
    const { kept } = shelf({ bytes: 4, mostBytes: 10 });
    await kept.get('a');
    await kept.get('b');
    kept.ready('a');
    await kept.get('c');

    expect([kept.ready('a'), kept.ready('b'), kept.ready('c')]).toEqual(['a old', undefined, 'c old']);
    expect(kept.size).toBe(2);
  });

  it('remembers no names of which there is nothing', async () => {
    const { kept } = shelf();
    for (let name = 0; name < 50; name++) expect(await kept.get(`nothing ${name}`)).toBeNull();

    expect(kept.size).toBe(0);
  });
});
