import { describe, expect, it } from 'vitest';
import { FakeCheckInServer } from '#tests/support/fake-check-in-server.ts';
import { CallError } from '#web/call-error.ts';
import { CheckInSession } from './check-in-session.ts';
import { createMemoryStore } from './store/memory-store.ts';

const DEVICES = 4;
const SCANS = 1000;
const CONFLICTS = 30;
const START = Date.parse('2026-06-13T00:00:00Z');

/** Shuffles with a fixed seed. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  let seed = 7;
  const seeded = items.map((item) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return { item, seed };
  });
  return seeded.sort((a, b) => a.seed - b.seed).map(({ item }) => item);
}

describe('four offline devices', () => {
  it('decide 1,000 scans, and the sync reports exactly the 30 tickets admitted twice', async () => {
    const server = new FakeCheckInServer();
    const numbers = Array.from({ length: SCANS - CONFLICTS }, (_, at) => String(1_000_000_007 + at * 7_919_113));
    for (const number of numbers) server.add(number);
    let now = START;
    let isUp = true;
    const sessions = Array.from({ length: DEVICES }, (_, at) => {
      const calls = server.callsOf(`Gate ${at}`, () => now);
      const ifUp = <Result>(work: () => Promise<Result>) => (isUp ? work() : Promise.reject(new CallError(0)));
      return new CheckInSession('event', {
        store: createMemoryStore(),
        now: () => now,
        isDeviceOffline: () => !isUp,
        isSignedIn: () => false,
        notify: () => {},
        calls: {
          ...calls,
          list: (...input) => ifUp(() => calls.list(...input)),
          sync: (...input) => ifUp(() => calls.sync(...input)),
        },
      });
    });
    for (const session of sessions) {
      await session.open(null);
      await session.sync();
    }
    isUp = false;

    // Thirty copies are scanned at the next gate.
    const shown = numbers.map((number, at) => ({ number, gate: at % DEVICES }));
    const copies = shown.slice(0, CONFLICTS).map(({ number, gate }) => ({ number, gate: (gate + 1) % DEVICES }));
    const kinds = new Map<string, number>();
    for (const { number, gate } of shuffled([...shown, ...copies])) {
      now += 100;
      const { kind } = (await sessions[gate]?.check(number, () => Promise.reject(new CallError(0)))) ?? {
        kind: 'none',
      };
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect([...kinds]).toEqual([['admitted-offline', SCANS]]);
    isUp = true;
    for (const session of sessions) await session.sync();

    const doubles = [...server.results.values()].filter(({ result }) => result === 'double');
    expect(doubles.map((one) => one.confirmationNumber).sort()).toEqual(copies.map(({ number }) => number).sort());
    expect([...server.results.values()].filter(({ result }) => result === 'first')).toHaveLength(SCANS - CONFLICTS);
    expect(sessions.map((session) => session.state().pending)).toEqual([0, 0, 0, 0]);
  });
});
