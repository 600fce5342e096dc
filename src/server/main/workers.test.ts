import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '#tests/support/metrics.ts';
import { Workers } from './workers.ts';

/** What a test may spoil, as it should be: settings stay until they are set again. */
const SOUND = { args: [], cwd: process.cwd(), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] };

beforeEach(() => {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../../../tests/support/idle-worker.ts', import.meta.url)),
    execArgv: [],
    ...SOUND,
  });
});

let workers: Workers;
let logged: string[];
afterEach(() => workers.stop());

function openWorkers({ count = 2, silenceMs = 60_000, mayStart = true } = {}): Workers {
  const answersTo = () => ({ 'may I start': () => mayStart });
  logged = [];
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
  workers = new Workers({ count, log, answersTo, silenceMs });
  return workers;
}

/** When each of them was reported. */
function failedStarts(): number[] {
  const lines = logged.map((line): { msg: string; time: number } => JSON.parse(line));
  return lines.filter(({ msg }) => msg === 'a worker could not start').map(({ time }) => time);
}

const pids = async () => new Map((await workers.ask('who are you', 1_000)).map(({ place, answer }) => [place, answer]));

describe('whoever looks after workers', { timeout: 60_000 }, () => {
  it('tells which of them answer', async () => {
    await openWorkers().start();

    expect([...(await pids()).keys()]).toEqual([1, 2]);
  });

  it('puts another in the place of one that ended', async () => {
    await openWorkers().start();
    const before = await pids();
    await workers.ask('end now', 100);

    await until('both are there again', async () => (await pids()).size === 2);
    const after = await pids();
    expect(after.get(1)).not.toBe(before.get(1));
    expect(after.get(2)).not.toBe(before.get(2));
  });

  it('ends one that hangs, so that another takes its place', async () => {
    await openWorkers({ silenceMs: 2_000 }).start();
    const before = await pids();
    await workers.ask('hang now', 100);

    await until('both are there again', async () => (await pids()).size === 2, 30);
    expect((await pids()).get(1)).not.toBe(before.get(1));
  });

  it('makes pauses that double while whatever takes the place dies as it starts', async () => {
    await openWorkers({ count: 1 }).start();
    cluster.setupPrimary({ args: ['die at once'] });
    await workers.ask('end now', 100);

    await until('three could not start', async () => failedStarts().length === 3);

    const [first = 0, second = 0, third = 0] = failedStarts();
    expect(second - first).toBeGreaterThan(490);
    expect(third - second).toBeGreaterThan(990);

    cluster.setupPrimary(SOUND);
    await until('one is there again', async () => (await pids()).size === 1);
  });

  it.each([
    ['later', { cwd: '/nowhere/at/all' }],
    ['at once', { stdio: ['ignore', 'ignore', 'ignore'] }],
  ])('tries again when the system refuses a process and says so %s', async (_when, broken) => {
    await openWorkers({ count: 1 }).start();
    cluster.setupPrimary(broken);
    await workers.ask('end now', 100);
    await until('two could not start', async () => failedStarts().length === 2);

    cluster.setupPrimary(SOUND);
    await until('one is there again', async () => (await pids()).size === 1);
  });

  it('keeps one that serves, whatever goes wrong in telling it something', async () => {
    await openWorkers({ count: 1 }).start();
    const before = await pids();
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.emit('error', new Error('write EPIPE'));

    expect(await pids()).toEqual(before);
    expect(logged.join()).toContain('write EPIPE');
    await workers.stop();
    expect(() => process.kill(Number(before.get(1)), 0)).toThrow('ESRCH');
  });

  it('says why a worker cannot start, in its own words', async () => {
    await expect(openWorkers({ mayStart: false }).start()).rejects.toMatchObject({
      message: 'It is too cold.',
      exitCode: 78,
    });
  });

  it('leaves none behind', async () => {
    await openWorkers().start();
    const left = [...(await pids()).values()].map(Number);

    await workers.stop();

    for (const pid of left) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
