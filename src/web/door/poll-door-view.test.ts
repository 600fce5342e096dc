import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DoorView } from '#contract/door-view-words.ts';
import { followDoors } from './poll-door-view.ts';

const view: DoorView = {
  title: 'Basement Brass',
  timezone: 'America/New_York',
  attendantCode: '7Q4MK2XP9A',
  counts: [],
  devices: [],
  arrivals: [],
  findings: [],
  now: 0,
};

let stop: AbortController;
let page: EventTarget & { visibilityState: string; cookie: string };
let asked = 0;
const told = { seen: vi.fn(), missed: vi.fn(), refused: vi.fn() };

function serve(answer: () => Response | Promise<Response>) {
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    return answer();
  });
  void followDoors('an-event', told, stop.signal);
}

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  stop = new AbortController();
  asked = 0;
  page = Object.assign(new EventTarget(), { cookie: '', visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
  stop.abort();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the doors that are followed', () => {
  it('are asked for every three seconds', async () => {
    serve(() => Response.json(view));
    await later(0);
    expect(told.seen).toHaveBeenCalledExactlyOnceWith(view);

    await later(2900);
    expect(asked).toBe(1);
    await later(100);
    expect(asked).toBe(2);
  });

  it('are asked for ever more seldom while nobody answers, and at once when the network is back', async () => {
    serve(() => Promise.reject(new TypeError('no line')));
    await later(60_000);
    // At 0, 6, 18, 42 s.
    expect(asked).toBe(4);
    expect(told.missed).toHaveBeenCalledTimes(4);

    window.dispatchEvent(new Event('online'));
    await later(0);
    expect(asked).toBe(5);
  });

  it('are as lively as before once somebody answers again', async () => {
    let isUp = false;
    serve(() => (isUp ? Response.json(view) : Response.json({}, { status: 503 })));
    await later(7000);
    isUp = true;
    await later(11_000);
    expect(told.seen).toHaveBeenCalledOnce();
    await later(3000);
    expect(told.seen).toHaveBeenCalledTimes(2);
  });

  it('are left alone while nobody looks, and asked for at once when somebody does', async () => {
    serve(() => Response.json(view));
    await later(0);
    page.visibilityState = 'hidden';
    await later(120_000);
    expect(asked).toBe(1);

    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    await later(0);
    expect(asked).toBe(2);
  });

  it.each([401, 404] as const)('are not asked for again after a %i', async (status) => {
    serve(() => Response.json({ msg: 'No.' }, { status }));
    await later(60_000);

    expect(told.refused).toHaveBeenCalledExactlyOnceWith(status);
    expect(asked).toBe(1);
  });

  it('are no longer told of to whoever has left', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    serve(() => promise);
    await later(0);
    stop.abort();
    resolve(Response.json(view));
    await later(60_000);

    expect(told.seen).not.toHaveBeenCalled();
    expect(asked).toBe(1);
  });
});
