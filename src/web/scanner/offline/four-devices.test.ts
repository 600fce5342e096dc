import { describe, expect, it } from 'vitest';
import { DoorStandIn } from '#tests/support/door-stand-in.ts';
import { CallError } from '#web/call-error.ts';
import { DoorKeeper } from './check-in-session.ts';
import { openMemoryDoorStore } from './store/memory-store.ts';

const DEVICES = 4;
const SCANS = 1000;
const CONFLICTS = 30;
const START = Date.parse('2026-06-13T00:00:00Z');

/** Shown at a door in the same order each time, as if at random. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  let seed = 7;
  const drawn = items.map((item) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return { item, seed };
  });
  return drawn.sort((a, b) => a.seed - b.seed).map(({ item }) => item);
}

describe('four devices without a network', () => {
  it('decide 1,000 scans, and the server hears of exactly the 30 tickets that came in twice', async () => {
    const server = new DoorStandIn();
    const numbers = Array.from({ length: SCANS - CONFLICTS }, (_, at) => String(1_000_000_007 + at * 7_919_113));
    for (const number of numbers) server.add(number);
    let now = START;
    let isUp = true;
    const doors = Array.from({ length: DEVICES }, (_, at) => {
      const calls = server.callsOf(`Gate ${at}`, () => now);
      const ifUp = <Result>(work: () => Promise<Result>) => (isUp ? work() : Promise.reject(new CallError(0)));
      return new DoorKeeper('event', {
        store: openMemoryDoorStore(),
        now: () => now,
        isUnplugged: () => !isUp,
        tell: () => {},
        calls: {
          ...calls,
          list: (...input) => ifUp(() => calls.list(...input)),
          handIn: (...input) => ifUp(() => calls.handIn(...input)),
        },
      });
    });
    for (const door of doors) {
      await door.open(null);
      await door.askForNews();
    }
    isUp = false;

    // Thirty copies are shown at the next gate.
    const shown = numbers.map((number, at) => ({ number, gate: at % DEVICES }));
    const copies = shown.slice(0, CONFLICTS).map(({ number, gate }) => ({ number, gate: (gate + 1) % DEVICES }));
    const kinds = new Map<string, number>();
    for (const { number, gate } of shuffled([...shown, ...copies])) {
      now += 100;
      const { kind } = (await doors[gate]?.check(number, () => Promise.reject(new CallError(0)))) ?? { kind: 'none' };
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect([...kinds]).toEqual([['admitted-offline', SCANS]]);
    isUp = true;
    for (const door of doors) await door.askForNews();

    const doubles = [...server.outcomes.values()].filter(({ outcome }) => outcome === 'double');
    expect(doubles.map((one) => one.confirmationNumber).sort()).toEqual(copies.map(({ number }) => number).sort());
    expect([...server.outcomes.values()].filter(({ outcome }) => outcome === 'first')).toHaveLength(SCANS - CONFLICTS);
    expect(doors.map((door) => door.state().pending)).toEqual([0, 0, 0, 0]);
  });
});
