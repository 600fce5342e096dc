import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUpOnExit } from '#tests/support/clean-up-on-exit.ts';
import { until } from '#tests/support/metrics.ts';
import { attemptStart, type Product, sandboxFromElsewhere, startProduct } from '#tests/support/product.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';
import { openMailServer } from './two-servers/mail-server.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(async () => {
  await product?.remove();
});

const postgresRuns = (dataDir: string) => existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'));
const isReady = async ({ url } = product) => (await fetch(`${url}/readyz`)).status === 200;

describe('starting', () => {
  it('names the busy port, and stops the database it started', async () => {
    const dataDir = makeDataDirectory();
    const cleanUp = cleanUpOnExit(dataDir);

    const { exitCode, output } = await attemptStart(product, { DATA_DIR: dataDir, SANDBOX_PORT: '0' });

    expect(output).toContain(`Port ${new URL(product.url).port} is in use by another program.`);
    expect(output).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(78);
    expect(postgresRuns(dataDir)).toBe(false);
    await cleanUp();
  });

  it('leaves a running Handstamp alone and names the one using the data directory', async () => {
    const { exitCode, output } = await attemptStart(product, {});

    expect(output).toMatch(/Another Handstamp \(pid \d+\) is using the database in /);
    expect(output).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(78);
    expect(await isReady()).toBe(true);
  });

  it.each([
    ['PORT', 'eighty'],
    ['RATE_LIMIT_SCALE', 'fast'],
    ['SEED_DEMO', 'perhaps'],
  ])('names an invalid setting and its value: %s=%s', async (name, value) => {
    const { exitCode, output } = await attemptStart(product, { [name]: value });

    expect(output).toContain(name);
    expect(output).toContain(value);
    expect(output).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(78);
  });
});

describe('the sandbox of a started server', () => {
  it('is hidden from other machines by default [OPS-4]', async () => {
    expect(await sandboxFromElsewhere(product)).toEqual([403, 404]);
  });
});

describe('starting with a mail server without TLS', () => {
  it('is refused before anything else starts, and named [EMAIL-8]', async () => {
    const mailServer = await openMailServer();
    const dataDir = makeDataDirectory();
    const cleanUp = cleanUpOnExit(dataDir);

    const { exitCode, output } = await attemptStart(product, { DATA_DIR: dataDir, SMTP_URL: mailServer.url });

    expect(output).toContain('SMTP_PLAIN_TEXT=1');
    expect(output).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(78);
    expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
    await mailServer.close();
    await cleanUp();
  });
});

describe('stopping', () => {
  it('recovers after kill -9 with PostgreSQL still running', async () => {
    await product.kill();
    expect(postgresRuns(product.dataDir)).toBe(true);

    await product.start();

    expect(await isReady()).toBe(true);
  });

  it('stops everything it started on SIGTERM and exits with 0', async () => {
    expect(await product.stop()).toBe(0);

    expect(postgresRuns(product.dataDir)).toBe(false);
    await expect(fetch(`${product.url}/livez`)).rejects.toThrow('fetch failed');
    await expect(fetch(`${product.sandboxUrl}/`)).rejects.toThrow('fetch failed');
  });
});

/** All descendants of the process, and the database, which is detached. */
function processesOf({ pid, dataDir }: Product): number[] {
  const parents = parentProcesses();
  const family = new Set([pid()]);
  // Members added during iteration are visited as well.
  for (const member of family) for (const [child, parent] of parents) if (parent === member) family.add(child);
  return [...family, Number.parseInt(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)];
}

/** Parent of each process. A bare Debian has no `ps`, and a Mac no `/proc`. */
function parentProcesses(): Map<number, number> {
  const table = existsSync('/proc/self/stat')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(pidAndParent)
        .join('\n')
    : execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return new Map([...table.matchAll(/(\d+) +(\d+)/g)].map(([, child, parent]) => [Number(child), Number(parent)]));
}

function pidAndParent(pid: string): string {
  try {
    // The program name is in parentheses and may contain anything; state and parent follow it.
    const [, parent] = /\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return `${pid} ${parent}`;
  } catch {
    // The process has exited.
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('npm start', () => {
  it.each(['1', '2'])('leaves no process behind when its process group is killed, WORKERS=%s', async (WORKERS) => {
    const started = await startProduct({ WORKERS }, 'scripts/start.mjs');
    const processes = processesOf(started);
    try {
      expect(processes).toHaveLength(WORKERS === '1' ? 3 : 5);

      await started.kill();
      await until('no process is left', async () => !processes.some(isAlive), 40);

      expect(postgresRuns(started.dataDir)).toBe(false);
      await expect(fetch(`${started.url}/livez`)).rejects.toThrow('fetch failed');
    } finally {
      for (const pid of processes.filter(isAlive)) process.kill(pid, 'SIGKILL');
      await started.remove();
    }
  });

  it('starts again immediately after a kill', async () => {
    const started = await startProduct({}, 'scripts/start.mjs');
    const before = processesOf(started);

    await started.kill();
    await started.start();

    expect(await isReady(started)).toBe(true);
    await until('no earlier process is left', async () => !before.some(isAlive));
    await started.remove();
  });
});
