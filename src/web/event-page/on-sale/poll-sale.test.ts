import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stillTrying, stillTryingWithPosition } from '#messages/waiting-room.ts';
import { pollSale, type SaleSnapshot } from './poll-sale.ts';

const MINUTE = 60_000;
const moment = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

function saleSince(minutes: number, before = 0) {
  const since = moment(minutes);
  const rates = [{ before, since, perMinute: 60 }];
  return {
    salesStartAt: since,
    rates,
    lastPass: before + 9,
    pausedAt: null,
    isSoldOut: false,
    draw: null,
    now: moment(0),
  };
}

const answer = (status: number, body: unknown) => Response.json(body, { status });

let stop: AbortController;
const listener = {
  onSnapshot: vi.fn<(snapshot: SaleSnapshot) => void>(),
  onSuccess: vi.fn(),
  onFailure: vi.fn(),
  onGone: vi.fn(),
};

/** Serves the sale to GET and the position to POST. */
function serve(sale: () => Response | Promise<Response>, position: () => Response | Promise<Response>) {
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => (method === 'GET' ? sale() : position()));
}

const poll = (last: SaleSnapshot | null = null) => void pollSale('an-event', last, listener, stop.signal);
const seenPositions = () => listener.onSnapshot.mock.calls.map(([{ position }]) => position);

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

const soon = (assertion: () => void) => vi.waitFor(assertion, { timeout: 60_000 });

describe('pollSale', () => {
  it('reports the sale and the reason when the server denies a position', async () => {
    serve(
      () => answer(200, saleSince(-1)),
      () => answer(429, { msg: 'Too many rateLimiter.' }),
    );
    poll();

    await soon(() => expect(listener.onFailure).toHaveBeenCalledWith('Too many rateLimiter.'));
    expect(seenPositions()).toEqual([undefined]);
    expect(listener.onSuccess).not.toHaveBeenCalled();
  });

  it.each([
    ['promises no position to a buyer without one', null, stillTrying],
    ['keeps a position', 7, stillTryingWithPosition],
    ['keeps a position in the draw', null, stillTryingWithPosition],
    ['does not keep one whose turn has passed', 1, stillTrying],
  ])('after a network error, %s', async (_, position, message) => {
    serve(
      () => Promise.reject(new TypeError('network down')),
      () => answer(200, {}),
    );
    const hasSnapshot = message === stillTryingWithPosition || position !== null;
    poll(
      hasSnapshot
        ? { sale: saleSince(position === 1 ? -30 : 1), position, returnsAt: null, denial: null, aheadMs: 0 }
        : null,
    );

    await soon(() => expect(listener.onFailure).toHaveBeenCalledWith(message));
  });

  it('times out when the server does not answer', async () => {
    const { timeout } = AbortSignal;
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 200));
    vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => silence(signal));
    poll();

    await soon(() => expect(listener.onFailure).toHaveBeenCalledWith(stillTrying));
    expect(limit).toHaveBeenCalledWith(10_000);
  });

  it('waits for the start when the network has enough passes [ROOM-2]', async () => {
    const msg = 'Enough people on your network.';
    serve(
      () => answer(200, saleSince(5)),
      () => answer(409, { code: 'waiting-room.network-limit', msg }),
    );
    poll();

    await soon(() => expect(listener.onSuccess).toHaveBeenCalled());
    expect(listener.onSnapshot).toHaveBeenCalledWith(expect.objectContaining({ position: undefined, denial: msg }));
    expect(listener.onFailure).not.toHaveBeenCalled();
  });

  it('keeps the last position when it cannot be fetched', async () => {
    const sale = saleSince(-1);
    serve(
      () => answer(200, sale),
      () => answer(503, {}),
    );
    poll({ sale, position: 80, returnsAt: null, denial: null, aheadMs: 0 });

    await soon(() => expect(listener.onFailure).toHaveBeenCalled());
    expect(seenPositions()).toEqual([80]);
  });

  it('gets a new position after the start has moved', async () => {
    const sales = [saleSince(-1), saleSince(5, 9)];
    const positions = [80, null];
    serve(
      () => answer(200, sales.shift()),
      () => answer(200, { position: positions.shift(), arrival: 1, returnsAt: null }),
    );
    poll();
    await soon(() => expect(listener.onSuccess).toHaveBeenCalledTimes(1));
    await soon(() => {
      window.dispatchEvent(new Event('online'));
      expect(listener.onSuccess).toHaveBeenCalledTimes(2);
    });

    expect(seenPositions()).toEqual([80, null]);
  });
});

function silence(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The time is up.', 'TimeoutError')));
  });
}
