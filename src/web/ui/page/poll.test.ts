import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CheckInDashboard, checkInDashboard } from '#contract/app/check-in-devices.ts';
import { call } from '#web/api.ts';
import { poll } from './poll.ts';

const view: CheckInDashboard = {
  title: 'Basement Brass',
  timezone: 'America/New_York',
  attendantCode: '7Q4MK2XP9A',
  counts: [],
  devices: [],
  arrivals: [],
  conflicts: [],
  now: 0,
};

let stop: AbortController;
let page: EventTarget & { visibilityState: string; cookie: string };
let requests = 0;
const listener = { onView: vi.fn(), onError: vi.fn(), onDenied: vi.fn() };

function serve(answer: () => Response | Promise<Response>) {
  vi.stubGlobal('fetch', async () => {
    requests += 1;
    return answer();
  });
  const read = (signal: AbortSignal) => call(checkInDashboard, { eventId: 'an-event' }, { signal });
  void poll({ read, everyMs: 3000 }, listener, stop.signal);
}

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  stop = new AbortController();
  requests = 0;
  page = Object.assign(new EventTarget(), { cookie: '', visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
  stop.abort();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('poll', () => {
  it('reads every three seconds', async () => {
    serve(() => Response.json(view));
    await later(0);
    expect(listener.onView).toHaveBeenCalledExactlyOnceWith(view);

    await later(2900);
    expect(requests).toBe(1);
    await later(100);
    expect(requests).toBe(2);
  });

  it('backs off after failures, and polls at once when the network returns', async () => {
    serve(() => Promise.reject(new TypeError('network down')));
    await later(60_000);
    // At 0, 6, 18, 42 s.
    expect(requests).toBe(4);
    expect(listener.onError).toHaveBeenCalledTimes(4);

    window.dispatchEvent(new Event('online'));
    await later(0);
    expect(requests).toBe(5);
  });

  it('polls every three seconds again after a success', async () => {
    let isUp = false;
    serve(() => (isUp ? Response.json(view) : Response.json({}, { status: 503 })));
    await later(7000);
    isUp = true;
    await later(11_000);
    expect(listener.onView).toHaveBeenCalledOnce();
    await later(3000);
    expect(listener.onView).toHaveBeenCalledTimes(2);
  });

  it('pauses while the page is hidden, and polls at once when it is visible', async () => {
    serve(() => Response.json(view));
    await later(0);
    page.visibilityState = 'hidden';
    await later(120_000);
    expect(requests).toBe(1);

    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    await later(0);
    expect(requests).toBe(2);
  });

  it.each([401, 404] as const)('stops after a %i', async (status) => {
    serve(() => Response.json({ msg: 'No.' }, { status }));
    await later(60_000);

    expect(listener.onDenied).toHaveBeenCalledExactlyOnceWith(status);
    expect(requests).toBe(1);
  });

  it('reports nothing after an abort', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    serve(() => promise);
    await later(0);
    stop.abort();
    resolve(Response.json(view));
    await later(60_000);

    expect(listener.onView).not.toHaveBeenCalled();
    expect(requests).toBe(1);
  });
});
