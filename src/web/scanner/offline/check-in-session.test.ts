import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { grantExpired } from '#messages/check-in-offline.ts';
import { errorText } from '#messages/errors.ts';

import { FakeCheckInServer } from '#tests/support/fake-check-in-server.ts';
import { CallError } from '#web/call-error.ts';
import { CheckInSession } from './check-in-session.ts';
import { createMemoryStore } from './store/memory-store.ts';

const HOUR_MS = 60 * 60 * 1000;
const GOOD = '1234567890';
const OTHER = '2345678901';

type Answer = { msg: string; result: 'admitted' };
type Network = 'fine' | 'no list' | 'denied' | 'no sync' | 'lost answers' | 'down' | 'unplugged';

/** A device with two valid tickets and a network that the test controls. */
async function createDevice({
  server = new FakeCheckInServer(),
  store = createMemoryStore(),
  name = 'Gate 2',
  isSignedIn = false,
} = {}) {
  for (const number of [GOOD, OTHER]) if (!server.tickets.has(number)) server.add(number);
  const device = {
    server,
    store,
    network: 'fine' as Network,
    now: Date.parse('2026-06-13T00:32:00Z'),
    notes: [] as string[],
    listsAsked: [] as ({ upTo: string } | null)[],
    /** Numbers that the server answers with 400. */
    invalidNumbers: [] as string[],
    synced: [] as string[],
  };
  const real = server.callsOf(name, () => device.now);
  /** With `lost answers`, the server acts and its answer is lost. */
  async function through<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    if (device.network === 'down' || device.network === 'unplugged') throw new CallError(0);
    const result = await work();
    if (device.network === 'lost answers') throw new CallError(0);
    return result;
  }
  const session = new CheckInSession('event', {
    store,
    now: () => device.now,
    isDeviceOffline: () => device.network === 'unplugged',
    isSignedIn: () => isSignedIn,
    notify: (note) => device.notes.push(note),
    calls: {
      list: (have, pending, signal) => {
        device.listsAsked.push(have);
        if (device.network === 'no list') return Promise.reject(new CallError(409, errorText('offline-list.too-long')));
        if (device.network === 'denied') return Promise.reject(new CallError(401, errorText('attendant-code.missing')));
        return through(() => real.list(have, pending, signal));
      },
      sync(scans, signal) {
        device.synced.push(...scans.map(({ confirmationNumber }) => confirmationNumber));
        if (device.network === 'no sync') return Promise.reject(new CallError(429, 'Too many rateLimiter.'));
        if (device.invalidNumbers.some((number) => scans.some((scan) => scan.confirmationNumber === number)))
          return Promise.reject(new CallError(400, 'Bad input.'));
        return through(() => real.sync(scans, signal));
      },
      undo: (scanId, signal) => through(() => real.undo(scanId, signal)),
      leave: (signal) => through(() => real.leave(signal)),
    },
  });
  const check = (number: string) =>
    session.check(number, (scanId) => through<Answer>(() => server.check(number, scanId, name)));
  return Object.assign(device, { session, check });
}

async function openDevice(options?: Parameters<typeof createDevice>[0]) {
  const device = await createDevice(options);
  await device.session.open('Parade');
  await device.session.sync();
  return device;
}

const kinds = async (...checks: Promise<{ kind: string }>[]) => (await Promise.all(checks)).map(({ kind }) => kind);

/** Fake timers don't cover `AbortSignal.timeout`. */
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
  it('is decided by the server while it answers', async () => {
    const device = await openDevice();

    expect(await device.check(GOOD)).toMatchObject({ kind: 'admitted', msg: 'Let them in: Floor.' });
    expect(device.session.state()).toMatchObject({ isOnline: true, pending: 0, device: { admitted: 1 } });
  });

  it('is decided by the offline list after a network failure, and stays pending', async () => {
    const device = await openDevice();
    device.server.add('3456789012', 'refunded');
    await device.session.sync();
    device.network = 'down';

    expect((await device.check(GOOD)).msg).toBe('Let them in · saved offline: Floor.');
    expect(await kinds(device.check(GOOD), device.check('3456789012'), device.check('9876543210'))).toEqual([
      'already-in',
      'refunded',
      'not-on-list',
    ]);
    expect(await kinds(device.check('0123456789'), device.check('no ticket'))).toEqual(['unknown', 'unknown']);
    expect(device.session.state()).toMatchObject({ isOnline: false, pending: 1, device: { admitted: 1 } });
    expect(device.session.state().counts[0]).toMatchObject({ ticketName: 'Floor', admitted: 1 });
  });

  it('is unreachable without a list', async () => {
    const device = await createDevice();
    await device.session.open(null);
    device.network = 'down';

    expect(await device.check(GOOD)).toMatchObject({ kind: 'unreachable' });
    expect(device.session.state().pending).toBe(0);
  });

  it('remembers an admission by the server that the list does not have yet', async () => {
    const device = await openDevice();
    await device.check(GOOD);
    // The server caches its list for a few seconds, so this one predates the scan.
    device.server.set(GOOD, { state: 'valid' });
    device.now += 3000;
    await device.session.sync();
    device.network = 'down';

    expect(await kinds(device.check(GOOD))).toEqual(['already-in']);
  });

  it('trusts the list again once it is newer than the scan', async () => {
    const device = await openDevice();
    await device.check(GOOD);
    device.server.set(GOOD, { state: 'valid' });
    device.now += 11_000;
    await device.session.sync();
    device.network = 'down';

    expect(await kinds(device.check(GOOD))).toEqual(['admitted-offline']);
  });

  it('waits at most two seconds for a slow server, and not at all after two in a row', async () => {
    const device = await openDevice();
    device.server.add('3456789012');
    await device.session.sync();
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
      const check = device.session.check(number, never);
      const signal = await asked.promise;
      vi.advanceTimersByTime(1_999);
      expect(signal.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(signal.aborted).toBe(true);
      expect((await check).kind).toBe('admitted-offline');
      expect(device.session.state().isOnline).toBe(isOnlineAfter);
    }
    const unasked = vi.fn<typeof never>();

    expect((await device.session.check('3456789012', unasked)).kind).toBe('admitted-offline');
    expect(unasked).not.toHaveBeenCalled();
  });

  it('explains the failure next to an offline decision, and never suggests a retry after an admission', async () => {
    const device = await openDevice();
    const checkThatFails = (number: string, error: CallError) =>
      device.session.check(number, () => Promise.reject(error));
    const busy = new CallError(503, 'We are busy.');

    for (const error of [busy, new CallError(500), new CallError(0)]) {
      const failure = error.msg ?? 'An error occurred. Please try again.';
      expect(await checkThatFails('9876543210', error)).toMatchObject({ kind: 'not-on-list', failure });
      // Offline now, so the device no longer asks the server.
      expect(await checkThatFails('9876543210', error)).toMatchObject({ kind: 'not-on-list', failure: null });
      await device.session.sync();
    }
    expect(await checkThatFails(GOOD, busy)).toMatchObject({ kind: 'admitted-offline', failure: busy.msg });
    await device.session.sync();
    expect(await checkThatFails(OTHER, new CallError(0))).toMatchObject({ kind: 'admitted-offline', failure: null });
  });

  it('counts once when its answer was lost', async () => {
    const device = await openDevice();
    device.network = 'lost answers';
    const { scanId } = await device.check(GOOD);
    expect(device.server.tickets.get(GOOD)).toMatchObject({ state: 'scanned', scanId });
    device.network = 'fine';
    await device.session.sync();

    expect([...device.server.results]).toMatchObject([[scanId, { result: 'first' }]]);
    expect(device.notes).toEqual([]);
    expect(await kinds(device.check(GOOD))).toEqual(['already-in']);
  });

  it('reuses the scan id for a retry within a minute', async () => {
    const device = await openDevice();
    device.server.add('4567890123');
    device.network = 'lost answers';
    expect((await device.check('4567890123')).kind).toBe('not-on-list');
    device.network = 'fine';
    await device.session.sync();
    expect((await device.check('4567890123')).kind).toBe('admitted');
    device.now += HOUR_MS / 60 + 1;

    expect((await device.check('4567890123')).kind).toBe('already-in');
  });

  it('does not ask the server about an admission that has not synced', async () => {
    const device = await openDevice();
    device.network = 'down';
    await device.check(GOOD);
    device.network = 'no sync';
    await device.session.sync();
    expect(device.session.state()).toMatchObject({ isOnline: true, pending: 1 });

    expect((await device.check(GOOD)).kind).toBe('already-in');
    expect(device.server.tickets.get(GOOD)?.state).toBe('valid');
  });
});

describe('check-in hours [WINDOW-3]', () => {
  it('decide offline, also after a restart, and change with the next list', async () => {
    const device = await createDevice();
    device.server.hours = { opensAt: device.now + HOUR_MS, closesAt: device.now + 2 * HOUR_MS };
    await device.session.open('Parade');
    await device.session.sync();
    const restarted = await createDevice({ store: device.store, server: device.server });
    restarted.network = 'down';
    restarted.session.start();
    await expect.poll(() => restarted.session.state().isOpen).toBe(true);
    expect(await kinds(restarted.check(GOOD))).toEqual(['not-open']);
    expect(restarted.session.state().pending).toBe(0);

    device.server.hours = { opensAt: device.now - HOUR_MS, closesAt: device.now };
    restarted.network = 'fine';
    await restarted.session.sync();
    restarted.network = 'down';
    expect(await kinds(restarted.check(GOOD))).toEqual(['closed']);

    device.server.hours = { opensAt: null, closesAt: null };
    restarted.network = 'fine';
    await restarted.session.sync();
    restarted.network = 'down';
    expect(await kinds(restarted.check(GOOD))).toEqual(['admitted-offline']);
  });
});

describe('a sync', () => {
  it('sends pending scans and reports conflicts', async () => {
    const device = await openDevice();
    device.network = 'down';
    await device.check(GOOD);
    await device.check(OTHER);
    device.server.set(OTHER, { state: 'scanned', scannedBy: 'Gate 1' });
    await device.session.sync();
    expect(device.session.state()).toMatchObject({ isOnline: false, pending: 2 });
    device.network = 'fine';
    await device.session.sync();

    expect(device.session.state()).toMatchObject({ isOnline: true, pending: 0 });
    expect(device.server.tickets.get(GOOD)).toMatchObject({ state: 'scanned', scannedBy: 'Gate 2' });
    expect(device.notes).toEqual(['1 ticket scanned offline had already been scanned elsewhere.']);
  });

  it('asks for changes only, and for the complete list after a new edition', async () => {
    const device = await openDevice();
    await device.session.sync();
    device.server.edition = 'second';
    await device.session.sync();

    expect(device.listsAsked.map((have) => have?.upTo)).toEqual([undefined, '2', '2']);
    device.network = 'down';
    expect((await device.check(GOOD)).kind).toBe('admitted-offline');
  });
});

describe('undo', () => {
  it('needs no network for a scan that was never sent', async () => {
    const device = await openDevice();
    device.network = 'unplugged';
    const { scanId } = await device.check(GOOD);
    await device.session.undo(scanId);

    expect(device.session.state().pending).toBe(0);
    expect((await device.check(GOOD)).kind).toBe('admitted-offline');
  });

  it('asks the server about a scan that may have arrived, and keeps it on failure', async () => {
    const device = await openDevice();
    device.network = 'lost answers';
    const { scanId } = await device.check(GOOD);
    device.network = 'down';
    await expect(device.session.undo(scanId)).rejects.toThrow();
    expect(device.session.state().pending).toBe(1);
    device.network = 'fine';
    await device.session.undo(scanId);

    expect(device.session.state().pending).toBe(0);
    expect(device.server.tickets.get(GOOD)?.state).toBe('valid');
  });
});

describe('saved data', () => {
  it('is enough to continue offline after a restart', async () => {
    const device = await openDevice();
    await device.check(OTHER);
    const restarted = await createDevice({ store: device.store, server: device.server });
    restarted.network = 'down';
    restarted.session.start();
    await expect.poll(() => restarted.session.state().isLoaded).toBe(true);

    expect(restarted.session.state()).toMatchObject({ isOpen: true, title: 'Parade' });
    expect(await kinds(restarted.check(GOOD), restarted.check(OTHER))).toEqual(['admitted-offline', 'already-in']);
  });

  it('keeps a rejected scan, and sends it again after a restart', async () => {
    const device = await openDevice();
    device.network = 'down';
    await device.check(GOOD);
    await device.check(OTHER);
    device.network = 'fine';
    device.invalidNumbers = [GOOD];
    for (let time = 0; time < 2; time++) await device.session.sync();

    expect(device.synced.filter((number) => number === GOOD)).toHaveLength(2);
    expect(device.notes).toEqual(["1 offline scan couldn't be synced."]);
    expect(device.session.state().pending).toBe(1);
    expect(device.server.tickets.get(OTHER)?.state).toBe('scanned');

    const restarted = await createDevice({ store: device.store, server: device.server });
    restarted.session.start();
    await expect.poll(() => restarted.session.state().isOpen).toBe(true);
    await restarted.session.sync();
    expect(device.server.tickets.get(GOOD)?.state).toBe('scanned');
    expect(restarted.session.state().pending).toBe(0);
  });

  it('syncs even when the event is too large for a list, and notifies once', async () => {
    const device = await openDevice();
    device.network = 'down';
    await device.check(GOOD);
    device.network = 'no list';
    for (let time = 0; time < 2; time++) expect(await device.session.sync()).toBe(true);

    expect(device.server.tickets.get(GOOD)?.state).toBe('scanned');
    expect(device.notes).toEqual([errorText('offline-list.too-long')]);
  });

  it('is cleared when the grant expires, except for pending scans, which the next grant syncs', async () => {
    const device = await createDevice();
    device.server.grantEndsAt = device.now + 12 * HOUR_MS;
    await device.session.open('Parade');
    await device.session.sync();
    device.network = 'down';
    await device.check(GOOD);
    device.now += 12 * HOUR_MS;
    expect(await device.check(OTHER)).toMatchObject({ kind: 'unreachable', msg: grantExpired });

    expect(device.session.state()).toMatchObject({ isOpen: false, pending: 1, closedReason: grantExpired });
    expect(await device.store.read('event')).toMatchObject({
      session: null,
      tickets: null,
      scans: [{ confirmationNumber: GOOD }],
    });
    device.network = 'fine';
    device.server.grantEndsAt = null;
    await device.session.open('Parade');
    await device.session.sync();
    expect(device.server.tickets.get(GOOD)?.state).toBe('scanned');
  });

  it('is cleared when the server revokes the grant', async () => {
    const device = await openDevice();
    const gone = new CallError(401, 'Enter the attendant code first.', {});
    await device.session.check(GOOD, () => Promise.reject(gone));

    expect(device.session.state()).toMatchObject({ isOpen: false, closedReason: 'Enter the attendant code first.' });
    expect(await device.store.sessions()).toEqual([]);
  });

  it('expires a day after the last list without a grant', async () => {
    const device = await openDevice();
    device.now += 24 * HOUR_MS - 1;
    await device.session.closeIfExpired();
    expect(device.session.state().isOpen).toBe(true);
    device.now += 1;
    await device.session.closeIfExpired();

    expect(await device.store.sessions()).toEqual([]);
  });

  it('is cleared at the end of the shift, pending scans included', async () => {
    const device = await openDevice();
    device.network = 'down';
    await device.check(GOOD);
    await device.session.leave();

    expect(await device.store.sessions()).toEqual([]);
    expect(device.session.state()).toMatchObject({ isOpen: false, pending: 0, closedReason: null });
  });
});

describe('a browser that is logged in [ROLE-3]', () => {
  const start = async (isSignedIn: boolean, network: Network) => {
    const device = await createDevice({ isSignedIn });
    device.network = network;
    onTestFinished(device.session.start());
    await expect.poll(() => device.session.state().isLoaded).toBe(true);
    return device;
  };

  it('opens without a code if the server knows a member', async () => {
    const device = await start(true, 'fine');

    expect(device.session.state()).toMatchObject({ isOpen: true, login: 'member', device: { name: 'Gate 2' } });
    device.network = 'down';
    expect((await device.check(GOOD)).kind).toBe('admitted-offline');
  });

  it('opens for an event that is too large for a list', async () => {
    const device = await start(true, 'no list');

    expect(device.session.state().isOpen).toBe(true);
    expect((await device.check(GOOD)).kind).toBe('admitted');
  });

  it('opens again without a code after the end of a shift', async () => {
    const device = await start(true, 'fine');
    await device.session.leave();
    expect(device.session.state()).toMatchObject({ isOpen: false, login: 'member' });

    await device.session.enterAsMember();
    expect(device.session.state().isOpen).toBe(true);
  });

  it('says that this login opens no scanner here', async () => {
    const device = await start(true, 'denied');

    expect(device.session.state()).toMatchObject({ isOpen: false, login: 'denied' });
  });

  it.each([
    ['without an answer', true, 'down'],
    ['without a login, which is not asked about', false, 'fine'],
  ] as const)('asks for the code %s', async (_case, isSignedIn, network) => {
    const device = await start(isSignedIn, network);

    expect(device.session.state()).toMatchObject({ isOpen: false, login: 'unasked' });
    expect(device.listsAsked).toHaveLength(isSignedIn ? 1 : 0);
  });
});

describe('two tabs of one browser', () => {
  it('admit a ticket once', async () => {
    const first = await openDevice();
    const second = await createDevice({ store: first.store, server: first.server });
    second.session.start();
    await expect.poll(() => second.session.state().isOpen).toBe(true);
    first.network = 'down';
    second.network = 'down';

    expect((await kinds(first.check(GOOD), second.check(GOOD))).sort()).toEqual(['admitted-offline', 'already-in']);
    expect((await first.store.read('event')).scans).toHaveLength(1);
  });
});
