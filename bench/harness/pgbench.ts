/** Runs pgbench, PostgreSQL's own load generator: the database's speed without an app in front of it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Sample } from './benchmark.ts';
import { closedLoop } from './closed-loop.ts';

const DEBIAN = '/usr/lib/postgresql';

/** Path of the newest installed version, if any. */
export function findPgbench(): string | undefined {
  const packaged = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => path.join(DEBIAN, version, 'bin')) : [];
  const folders = [...packaged.sort().reverse(), ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file));
}

export interface BaselineStatement {
  /** One statement in which `:quantity` is replaced with 1 to 4, at random each time. */
  statement: string;
  connectionString: string;
  connections: number;
  seconds: number;
  /** Number of reservations per execution. */
  worth?: number;
}

const FALLBACK_CONNECTIONS = 2;

/** Name of a metric's baseline. */
export function baselineName(what: string, connections: number): string {
  return findPgbench() ? `pgbench, ${what}, ${connections} conn` : `Node, ${what}, ${FALLBACK_CONNECTIONS} conn`;
}

/** Runs the statement as fast as possible, with pgbench if installed, otherwise from Node over two connections. */
export async function runBaseline(baseline: BaselineStatement): Promise<Sample> {
  const program = findPgbench();
  return program ? runPgbench(program, baseline) : runFromNode(baseline);
}

/**
 * pgbench counts whole seconds. For less, it gets a fixed number of transactions per connection: this many per second.
 */
const TRANSACTIONS_PER_SECOND = 100;

async function runPgbench(
  program: string,
  { statement, connectionString, connections, seconds, worth = 1 }: BaselineStatement,
): Promise<Sample> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-pgbench-'));
  const script = path.join(folder, 'statement.sql');
  writeFileSync(script, `\\set quantity random(1, 4)\n${statement.trim()};\n`);
  try {
    const { stdout } = await promisify(execFile)(program, [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${connections}`,
      '--jobs=1',
      seconds < 1 ? `--transactions=${Math.ceil(TRANSACTIONS_PER_SECOND * seconds)}` : `--time=${Math.round(seconds)}`,
      `--file=${script}`,
      connectionString,
    ]);
    return sampleOf(stdout, worth);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sampleOf(output: string, worth: number): Sample {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN);
  const failed = number(/number of failed transactions: (\d+)/);
  const perSecond = number(/tps = ([\d.]+)/);
  if (failed > 0 || !(perSecond > 0)) throw new Error(`pgbench failed:\n${output}`);
  return {
    perSecond: perSecond * worth,
    count: number(/transactions actually processed: (\d+)/) * worth,
    p50: number(/latency average = ([\d.]+)/),
  };
}

/** Used without pgbench. */
export async function runFromNode({
  statement,
  connectionString,
  seconds,
  worth = 1,
}: BaselineStatement): Promise<Sample> {
  const clients = Array.from({ length: FALLBACK_CONNECTIONS }, () => new pg.Client({ connectionString }));
  await Promise.all(clients.map((client) => client.connect()));
  const text = statement.replaceAll(':quantity', '$1::int');
  const parameters = () => (text === statement ? [] : [1 + Math.floor(Math.random() * 4)]);
  try {
    const sample = await closedLoop({ clients: clients.length, seconds }, async (number) => {
      await clients[number]?.query({ name: 'baseline', text, values: parameters() });
    });
    return { ...sample, perSecond: sample.perSecond * worth, count: (sample['count'] ?? 0) * worth };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
