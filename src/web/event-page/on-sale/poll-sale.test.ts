import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageKeepsTrying, placeIsKept } from '#contract/waiting-room-words.ts';
import { followSale, type SaleSeen } from './poll-sale.ts';

const MINUTE = 60_000;
const moment = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

function saleSince(minutes: number, before = 0) {
  const since = moment(minutes);
  const paces = [{ before, since, perMinute: 60 }];
  return { salesStartAt: since, paces, given: before + 9, isSoldOut: false, now: moment(0) };
}

const answer = (status: number, body: unknown) => Response.json(body, { status });

let stop: AbortController;
const told = { seen: vi.fn<(seen: SaleSeen) => void>(), reached: vi.fn(), missed: vi.fn(), gone: vi.fn() };

/** The server, which answers what everyone is told, and to whoever asks for a place. */
function serve(everyone: () => Response | Promise<Response>, place: () => Response | Promise<Response>) {
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => (method === 'GET' ? everyone() : place()));
}

const follow = (last: SaleSeen | null = null) => void followSale('an-event', last, told, stop.signal);
const seenPlaces = () => told.seen.mock.calls.map(([{ place }]) => place);

beforeEach(() => {
  stop = new AbortController();
  vi.clearAllMocks();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '', visibilityState: 'visible' }));
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
  stop.abort();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a sale that is followed', () => {
  it('is shown also when the server has no place to give, and the server says why', async () => {
    serve(
      () => answer(200, saleSince(-1)),
      () => answer(429, { msg: 'Too many tries.' }),
    );
    follow();

    await vi.waitFor(() => expect(told.missed).toHaveBeenCalledWith('Too many tries.'));
    expect(seenPlaces()).toEqual([undefined]);
    expect(told.reached).not.toHaveBeenCalled();
  });

  it.each([
    ['promises no place to whoever has none', null, pageKeepsTrying],
    ['keeps a place', 7, placeIsKept],
    ['keeps a place in the draw', null, placeIsKept],
    ['does not keep one that has passed', 1, pageKeepsTrying],
  ])('when out of reach, %s', async (_, place, words) => {
    serve(
      () => Promise.reject(new TypeError('no line')),
      () => answer(200, {}),
    );
    const isKnown = words === placeIsKept || place !== null;
    follow(isKnown ? { sale: saleSince(place === 1 ? -30 : 1), place, aheadMs: 0 } : null);

    await vi.waitFor(() => expect(told.missed).toHaveBeenCalledWith(words));
  });

  it('is asked for again when the line has gone silent', async () => {
    const { timeout } = AbortSignal;
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 200));
    vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => silence(signal));
    follow();

    await vi.waitFor(() => expect(told.missed).toHaveBeenCalledWith(pageKeepsTrying));
    expect(limit).toHaveBeenCalledWith(10_000);
  });

  it('keeps the place that was known when it cannot be asked for', async () => {
    const sale = saleSince(-1);
    serve(
      () => answer(200, sale),
      () => answer(503, {}),
    );
    follow({ sale, place: 80, aheadMs: 0 });

    await vi.waitFor(() => expect(told.missed).toHaveBeenCalled());
    expect(seenPlaces()).toEqual([80]);
  });

  it('gets another place when the start has been moved', async () => {
    const sales = [saleSince(-1), saleSince(5, 9)];
    const places = [80, null];
    serve(
      () => answer(200, sales.shift()),
      () => answer(200, { place: places.shift() }),
    );
    follow();
    await vi.waitFor(() => expect(told.reached).toHaveBeenCalledTimes(1));
    await vi.waitFor(() => {
      window.dispatchEvent(new Event('online'));
      expect(told.reached).toHaveBeenCalledTimes(2);
    });

    expect(seenPlaces()).toEqual([80, null]);
  });
});

function silence(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The time is up.', 'TimeoutError')));
  });
}
