import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '#tests/support/metrics.ts';
import { Workers } from './workers.ts';

/** Valid cluster settings, to restore after a test breaks them: they persist until they are set again. */
const VALID_SETTINGS = { args: [], cwd: process.cwd(), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] };

beforeEach(() => {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../../../tests/support/idle-worker.ts', import.meta.url)),
    execArgv: [],
    ...VALID_SETTINGS,
  });
});

let workers: Workers;
let logged: string[];
afterEach(() => workers.stop());

function openWorkers({ count = 2, silenceMs = 60_000, mayStart = true } = {}): Workers {
  const answersTo = () => ({ 'may start': () => mayStart });
  logged = [];
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
  workers = new Workers({ count, log, answersTo, silenceMs });
  return workers;
}

/** Timestamps of the logged start failures. */
function failedStarts(): number[] {
  const lines = logged.map((line): { msg: string; time: number } => JSON.parse(line));
  return lines.filter(({ msg }) => msg === 'a worker could not start').map(({ time }) => time);
}

const pids = async () => new Map((await workers.ask('pid', 1_000)).map(({ slot, answer }) => [slot, answer]));

describe('Workers', () => {
  it('collects answers by slot', async () => {
    await openWorkers().start();

    expect([...(await pids()).keys()]).toEqual([1, 2]);
  });

  it('replaces a worker that ended', async () => {
    await openWorkers().start();
    const before = await pids();
    await workers.ask('exit', 100);

    await until('both are there again', async () => (await pids()).size === 2);
    const after = await pids();
    expect(after.get(1)).not.toBe(before.get(1));
    expect(after.get(2)).not.toBe(before.get(2));
  });

  it('kills and replaces a worker that hangs', async () => {
    await openWorkers({ silenceMs: 2_000 }).start();
    const before = await pids();
    await workers.ask('hang', 100);

    await until('both are there again', async () => (await pids()).size === 2, 30);
    expect((await pids()).get(1)).not.toBe(before.get(1));
  });

  it('doubles the pause between failed starts', async () => {
    await openWorkers({ count: 1 }).start();
    cluster.setupPrimary({ args: ['die at start'] });
    await workers.ask('exit', 100);

    await until('three could not start', async () => failedStarts().length === 3);

    const [first = 0, second = 0, third = 0] = failedStarts();
    expect(second - first).toBeGreaterThan(490);
    expect(third - second).toBeGreaterThan(990);

    cluster.setupPrimary(VALID_SETTINGS);
    await until('one is there again', async () => (await pids()).size === 1);
  });

  it.each([
    ['later', { cwd: '/nowhere/at/all' }],
    ['at once', { stdio: ['ignore', 'ignore', 'ignore'] }],
  ])('retries when the system cannot create a process and reports it %s', async (_when, brokenSettings) => {
    await openWorkers({ count: 1 }).start();
    cluster.setupPrimary(brokenSettings);
    await workers.ask('exit', 100);
    await until('two could not start', async () => failedStarts().length === 2);

    cluster.setupPrimary(VALID_SETTINGS);
    await until('one is there again', async () => (await pids()).size === 1);
  });

  it('keeps a worker despite errors on its channel', async () => {
    await openWorkers({ count: 1 }).start();
    const before = await pids();
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.emit('error', new Error('write EPIPE'));

    expect(await pids()).toEqual(before);
    expect(logged.join()).toContain('write EPIPE');
    await workers.stop();
    expect(() => process.kill(Number(before.get(1)), 0)).toThrow('ESRCH');
  });

  it('rejects with the message of a worker that cannot start', async () => {
    await expect(openWorkers({ mayStart: false }).start()).rejects.toMatchObject({
      message: 'It is too cold.',
      exitCode: 78,
    });
  });

  it('stops every worker', async () => {
    await openWorkers().start();
    const pidsBefore = [...(await pids()).values()].map(Number);

    await workers.stop();

    for (const pid of pidsBefore) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
