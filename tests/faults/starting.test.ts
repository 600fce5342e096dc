import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearAwayAfterThisProcess } from '#tests/support/clear-away.ts';
import { attemptStart, type Product, startProduct } from '#tests/support/product.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(async () => {
  await product?.remove();
});

const postgresRuns = (dataDir: string) => existsSync(path.join(dataDir, 'postgres', 'postmaster.pid'));
const isReady = async () => (await fetch(`${product.url}/readyz`)).status === 200;

describe('starting', { timeout: 90_000 }, () => {
  it('says which port is busy, and stops the database it had started', async () => {
    const dataDir = makeDataDirectory();
    const clearAway = clearAwayAfterThisProcess(dataDir);

    const { exitCode, output } = await attemptStart(product, { DATA_DIR: dataDir, SANDBOX_PORT: '0' });

    expect(output).toContain(`Port ${new URL(product.url).port} is in use by another program.`);
    expect(output).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(78);
    expect(postgresRuns(dataDir)).toBe(false);
    await clearAway();
  });

  it('leaves a running Handstamp alone and says which one uses the data directory', async () => {
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
  ])('names a wrong setting and its value: %s=%s', async (name, value) => {
    const { exitCode, output } = await attemptStart(product, { [name]: value });

    expect(output).toContain(name);
    expect(output).toContain(value);
    expect(output).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(78);
  });
});

describe('ending', { timeout: 90_000 }, () => {
  it('comes back after kill -9, although PostgreSQL was left running', async () => {
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
