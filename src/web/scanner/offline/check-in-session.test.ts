import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DoorResult } from '#contract/admission.ts';
import { grantOver, tooManyForList } from '#contract/door.ts';
import { DoorStandIn } from '#tests/support/door-stand-in.ts';
import { CallError } from '#web/call-error.ts';
import { DoorKeeper } from './check-in-session.ts';
import { openMemoryDoorStore } from './store/memory-store.ts';

const HOUR_MS = 60 * 60 * 1000;
const GOOD = '1234567890';
const OTHER = '2345678901';

type Answer = { msg: string; result: DoorResult };
type Weather = 'fine' | 'no list' | 'no hand-in' | 'lost answers' | 'down' | 'unplugged';

/** A device at a door with two good tickets, a used one and a refunded one. Its weather is the test's. */
async function doorInTest({ server = new DoorStandIn(), store = openMemoryDoorStore(), name = 'Gate 2' } = {}) {
  for (const number of [GOOD, OTHER]) if (!server.tickets.has(number)) server.add(number);
  const device = {
    server,
    store,
    weather: 'fine' as Weather,
    now: Date.parse('2026-06-13T00:32:00Z'),
    notes: [] as string[],
    listsAsked: [] as ({ upTo: string } | null)[],
    /** Numbers that the server cannot read. */
    unreadable: [] as string[],
    handedIn: [] as string[],
  };
  const real = server.callsOf(name, () => device.now);
  /** What the server does happens in every weather but the worst; what it says does not arrive. */
  async function through<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    if (device.weather === 'down' || device.weather === 'unplugged') throw new CallError(0);
    const result = await work();
    if (device.weather === 'lost answers') throw new CallError(0);
    return result;
  }
  const keeper = new DoorKeeper('event', {
    store,
    now: () => device.now,
    isUnplugged: () => device.weather === 'unplugged',
    tell: (note) => device.notes.push(note),
    calls: {
      list: (have, pending, signal) => {
        device.listsAsked.push(have);
        if (device.weather === 'no list') return Promise.reject(new CallError(409, tooManyForList));
        return through(() => real.list(have, pending, signal));
      },
      handIn(scans, signal) {
        device.handedIn.push(...scans.map(({ confirmationNumber }) => confirmationNumber));
        if (device.weather === 'no hand-in') return Promise.reject(new CallError(429, 'Too many tries.'));
        if (device.unreadable.some((number) => scans.some((scan) => scan.confirmationNumber === number)))
          return Promise.reject(new CallError(400, 'Bad input.'));
        return through(() => real.handIn(scans, signal));
      },
      takeBack: (scanId, signal) => through(() => real.takeBack(scanId, signal)),
      leave: (signal) => through(() => real.leave(signal)),
    },
  });
  const check = (number: string) =>
    keeper.check(number, (scanId) => through<Answer>(() => server.check(number, scanId, name)));
  return Object.assign(device, { keeper, check });
}

async function openDoor(options?: Parameters<typeof doorInTest>[0]) {
  const door = await doorInTest(options);
  await door.keeper.open('Parade');
  await door.keeper.askForNews();
  return door;
}

const kinds = async (...checks: Promise<{ kind: string }>[]) => (await Promise.all(checks)).map(({ kind }) => kind);

/** `AbortSignal.timeout` has a timer of its own, which no test can move. */
function fakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
    return controller.signal;
  });
  onTestFinished(() => {
    timeout.mockRestore();
    vi.useRealTimers();
  });
}

describe('a check', () => {
  it('is decided by the server as long as it answers', async () => {
    const door = await openDoor();

    expect(await door.check(GOOD)).toMatchObject({ kind: 'admitted', msg: 'Let them in: Floor.' });
    expect(door.keeper.state()).toMatchObject({ isOnline: true, pending: 0, device: { admitted: 1 } });
  });

  it('is decided by the list once the network fails, and waits to be handed in', async () => {
    const door = await openDoor();
    door.server.add('3456789012', 'refunded');
    await door.keeper.askForNews();
    door.weather = 'down';

    expect((await door.check(GOOD)).msg).toBe('Let in - offline, will sync: Floor.');
    expect(await kinds(door.check(GOOD), door.check('3456789012'), door.check('9876543210'))).toEqual([
      'already-in',
      'refunded',
      'not-on-list',
    ]);
    expect(await kinds(door.check('0123456789'), door.check('no ticket'))).toEqual(['unknown', 'unknown']);
    expect(door.keeper.state()).toMatchObject({ isOnline: false, pending: 1, device: { admitted: 1 } });
    expect(door.keeper.state().counts[0]).toMatchObject({ ticketName: 'Floor', admitted: 1 });
  });

  it('says that it could not be made where there is no list either', async () => {
    const door = await doorInTest();
    await door.keeper.open(null);
    door.weather = 'down';

    expect(await door.check(GOOD)).toMatchObject({ kind: 'unreachable' });
    expect(door.keeper.state().pending).toBe(0);
  });

  it('knows whom the server has just let in here, though the list does not yet', async () => {
    const door = await openDoor();
    await door.check(GOOD);
    // A reading from before that scan, which the server answers by for some seconds.
    door.server.set(GOOD, { state: 'valid' });
    door.now += 3000;
    await door.keeper.askForNews();
    door.weather = 'down';

    expect(await kinds(door.check(GOOD))).toEqual(['already-in']);
  });

  it('believes the list again once it must know better', async () => {
    const door = await openDoor();
    await door.check(GOOD);
    door.server.set(GOOD, { state: 'valid' });
    door.now += 11_000;
    await door.keeper.askForNews();
    door.weather = 'down';

    expect(await kinds(door.check(GOOD))).toEqual(['admitted-offline']);
  });

  it('keeps an attendant waiting for two seconds at most, twice in a row, and then not at all', async () => {
    const door = await openDoor();
    door.server.add('3456789012');
    await door.keeper.askForNews();
    fakeTimeouts();
    let asked = Promise.withResolvers<AbortSignal>();
    const never = (_: string, signal: AbortSignal) =>
      new Promise<Answer>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason instanceof Error ? signal.reason : new Error()));
        asked.resolve(signal);
      });

    for (const [number, isOnlineAfter] of [
      [GOOD, true],
      [OTHER, false],
    ] as const) {
      asked = Promise.withResolvers();
      const check = door.keeper.check(number, never);
      const signal = await asked.promise;
      vi.advanceTimersByTime(1_999);
      expect(signal.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(signal.aborted).toBe(true);
      expect((await check).kind).toBe('admitted-offline');
      expect(door.keeper.state().isOnline).toBe(isOnlineAfter);
    }
    const unasked = vi.fn<typeof never>();

    expect((await door.keeper.check('3456789012', unasked)).kind).toBe('admitted-offline');
    expect(unasked).not.toHaveBeenCalled();
  });

  it("says what failed next to the device's own verdict, and never tells a guest who is let in to try again", async () => {
    const door = await openDoor();
    const checkThatFails = (number: string, error: CallError) => door.keeper.check(number, () => Promise.reject(error));
    const busy = new CallError(503, 'We are busy.');

    for (const error of [busy, new CallError(500), new CallError(0)]) {
      const failure = error.msg ?? 'An error occurred. Please try again.';
      expect(await checkThatFails('9876543210', error)).toMatchObject({ kind: 'not-on-list', failure });
      // Now the device decides without asking, so nothing fails.
      expect(await checkThatFails('9876543210', error)).toMatchObject({ kind: 'not-on-list', failure: null });
      await door.keeper.askForNews();
    }
    expect(await checkThatFails(GOOD, busy)).toMatchObject({ kind: 'admitted-offline', failure: busy.msg });
    await door.keeper.askForNews();
    expect(await checkThatFails(OTHER, new CallError(0))).toMatchObject({ kind: 'admitted-offline', failure: null });
  });

  it('whose answer was lost counts once, whatever the guest is told first', async () => {
    const door = await openDoor();
    door.weather = 'lost answers';
    const { scanId } = await door.check(GOOD);
    expect(door.server.tickets.get(GOOD)).toMatchObject({ state: 'scanned', scanId });
    door.weather = 'fine';
    await door.keeper.askForNews();

    expect([...door.server.outcomes]).toMatchObject([[scanId, { outcome: 'first' }]]);
    expect(door.notes).toEqual([]);
    expect(await kinds(door.check(GOOD))).toEqual(['already-in']);
  });

  it('is the same scan when a guest tries again whom the list did not have, and a new one a minute later', async () => {
    const door = await openDoor();
    door.server.add('4567890123');
    door.weather = 'lost answers';
    expect((await door.check('4567890123')).kind).toBe('not-on-list');
    door.weather = 'fine';
    await door.keeper.askForNews();
    expect((await door.check('4567890123')).kind).toBe('admitted');
    door.now += HOUR_MS / 60 + 1;

    expect((await door.check('4567890123')).kind).toBe('already-in');
  });

  it('does not go to the server for a guest of whom it has not been told yet', async () => {
    const door = await openDoor();
    door.weather = 'down';
    await door.check(GOOD);
    door.weather = 'no hand-in';
    await door.keeper.askForNews();
    expect(door.keeper.state()).toMatchObject({ isOnline: true, pending: 1 });

    expect((await door.check(GOOD)).kind).toBe('already-in');
    expect(door.server.tickets.get(GOOD)?.state).toBe('valid');
  });
});

describe('when the network is back', () => {
  it('hands in what waits, and tells what it could not know', async () => {
    const door = await openDoor();
    door.weather = 'down';
    await door.check(GOOD);
    await door.check(OTHER);
    door.server.set(OTHER, { state: 'scanned', scannedBy: 'Gate 1' });
    await door.keeper.askForNews();
    expect(door.keeper.state()).toMatchObject({ isOnline: false, pending: 2 });
    door.weather = 'fine';
    await door.keeper.askForNews();

    expect(door.keeper.state()).toMatchObject({ isOnline: true, pending: 0 });
    expect(door.server.tickets.get(GOOD)).toMatchObject({ state: 'scanned', scannedBy: 'Gate 2' });
    expect(door.notes).toEqual(['1 of the scans made offline was already in elsewhere.']);
  });

  it('asks only for what has changed, and for everything after another edition', async () => {
    const door = await openDoor();
    await door.keeper.askForNews();
    door.server.edition = 'second';
    await door.keeper.askForNews();

    expect(door.listsAsked.map((have) => have?.upTo)).toEqual([undefined, '2', '2']);
    door.weather = 'down';
    expect((await door.check(GOOD)).kind).toBe('admitted-offline');
  });
});

describe('taking back', () => {
  it('needs no network for a scan that never left the device', async () => {
    const door = await openDoor();
    door.weather = 'unplugged';
    const { scanId } = await door.check(GOOD);
    await door.keeper.takeBack(scanId);

    expect(door.keeper.state().pending).toBe(0);
    expect((await door.check(GOOD)).kind).toBe('admitted-offline');
  });

  it('asks the server about a scan that may have reached it, and keeps it where that fails', async () => {
    const door = await openDoor();
    door.weather = 'lost answers';
    const { scanId } = await door.check(GOOD);
    door.weather = 'down';
    await expect(door.keeper.takeBack(scanId)).rejects.toThrow();
    expect(door.keeper.state().pending).toBe(1);
    door.weather = 'fine';
    await door.keeper.takeBack(scanId);

    expect(door.keeper.state().pending).toBe(0);
    expect(door.server.tickets.get(GOOD)?.state).toBe('valid');
  });
});

describe('what a device keeps', () => {
  it('is enough to go on after a restart without a network', async () => {
    const door = await openDoor();
    await door.check(OTHER);
    const restarted = await doorInTest({ store: door.store, server: door.server });
    restarted.weather = 'down';
    restarted.keeper.follow();
    await expect.poll(() => restarted.keeper.state().isLoaded).toBe(true);

    expect(restarted.keeper.state()).toMatchObject({ isOpen: true, title: 'Parade' });
    expect(await kinds(restarted.check(GOOD), restarted.check(OTHER))).toEqual(['admitted-offline', 'already-in']);
  });

  it('stays with the device where the server cannot read it, and is handed in once more after a restart', async () => {
    const door = await openDoor();
    door.weather = 'down';
    await door.check(GOOD);
    await door.check(OTHER);
    door.weather = 'fine';
    door.unreadable = [GOOD];
    for (let time = 0; time < 2; time++) await door.keeper.askForNews();

    expect(door.handedIn.filter((number) => number === GOOD)).toHaveLength(2);
    expect(door.notes).toEqual(['1 of the scans made offline could not be handed in.']);
    expect(door.keeper.state().pending).toBe(1);
    expect(door.server.tickets.get(OTHER)?.state).toBe('scanned');

    const restarted = await doorInTest({ store: door.store, server: door.server });
    restarted.keeper.follow();
    await expect.poll(() => restarted.keeper.state().isOpen).toBe(true);
    await restarted.keeper.askForNews();
    expect(door.server.tickets.get(GOOD)?.state).toBe('scanned');
    expect(restarted.keeper.state().pending).toBe(0);
  });

  it('is handed in also where the event has grown too large for a list, which is said once', async () => {
    const door = await openDoor();
    door.weather = 'down';
    await door.check(GOOD);
    door.weather = 'no list';
    for (let time = 0; time < 2; time++) expect(await door.keeper.askForNews()).toBe(true);

    expect(door.server.tickets.get(GOOD)?.state).toBe('scanned');
    expect(door.notes).toEqual([tooManyForList]);
  });

  it('ends with the grant, but for the scans that wait, which the next grant hands in', async () => {
    const door = await doorInTest();
    door.server.grantEndsAt = door.now + 12 * HOUR_MS;
    await door.keeper.open('Parade');
    await door.keeper.askForNews();
    door.weather = 'down';
    await door.check(GOOD);
    door.now += 12 * HOUR_MS;
    expect(await door.check(OTHER)).toMatchObject({ kind: 'unreachable', msg: grantOver });

    expect(door.keeper.state()).toMatchObject({ isOpen: false, pending: 1, closedBecause: grantOver });
    expect(await door.store.read('event')).toMatchObject({
      door: null,
      tickets: null,
      scans: [{ confirmationNumber: GOOD }],
    });
    door.weather = 'fine';
    door.server.grantEndsAt = null;
    await door.keeper.open('Parade');
    await door.keeper.askForNews();
    expect(door.server.tickets.get(GOOD)?.state).toBe('scanned');
  });

  it('ends at once when the server says so', async () => {
    const door = await openDoor();
    const gone = new CallError(401, 'Enter the attendant code first.', {});
    await door.keeper.check(GOOD, () => Promise.reject(gone));

    expect(door.keeper.state()).toMatchObject({ isOpen: false, closedBecause: 'Enter the attendant code first.' });
    expect(await door.store.doors()).toEqual([]);
  });

  it('is for nobody else a day after the last list where no grant says when it ends', async () => {
    const door = await openDoor();
    door.now += 24 * HOUR_MS - 1;
    await door.keeper.closeIfOver();
    expect(door.keeper.state().isOpen).toBe(true);
    door.now += 1;
    await door.keeper.closeIfOver();

    expect(await door.store.doors()).toEqual([]);
  });

  it('goes with the attendant who leaves, scans and all', async () => {
    const door = await openDoor();
    door.weather = 'down';
    await door.check(GOOD);
    await door.keeper.leave();

    expect(await door.store.doors()).toEqual([]);
    expect(door.keeper.state()).toMatchObject({ isOpen: false, pending: 0, closedBecause: null });
  });
});

describe('two tabs of one browser', () => {
  it('let a ticket in once', async () => {
    const first = await openDoor();
    const second = await doorInTest({ store: first.store, server: first.server });
    second.keeper.follow();
    await expect.poll(() => second.keeper.state().isOpen).toBe(true);
    first.weather = 'down';
    second.weather = 'down';

    expect((await kinds(first.check(GOOD), second.check(GOOD))).sort()).toEqual(['admitted-offline', 'already-in']);
    expect((await first.store.read('event')).scans).toHaveLength(1);
  });
});
