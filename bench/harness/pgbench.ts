/** pgbench, PostgreSQL's own load generator: what the database does when nothing stands before it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Sample } from './benchmark.ts';
import { closedLoop } from './closed-loop.ts';

const DEBIAN = '/usr/lib/postgresql';

/** The newest one installed, if there is one. */
export function findPgbench(): string | undefined {
  const packaged = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => path.join(DEBIAN, version, 'bin')) : [];
  const folders = [...packaged.sort().reverse(), ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file));
}

export interface PlainStatement {
  /** One statement in which `:quantity` stands for 1 to 4, drawn anew each time. */
  statement: string;
  connectionString: string;
  connections: number;
  seconds: number;
  /** What one execution counts for. */
  worth?: number;
}

const FALLBACK_CONNECTIONS = 2;

/** What a figure names as its baseline. */
export function plainName(what: string, connections: number): string {
  return findPgbench() ? `pgbench, ${what}, ${connections} conn` : `Node, ${what}, ${FALLBACK_CONNECTIONS} conn`;
}

/** Runs the statement as fast as it goes: by pgbench, or where there is none from here over two connections. */
export async function runPlain(plain: PlainStatement): Promise<Sample> {
  const program = findPgbench();
  return program ? runPgbench(program, plain) : runFromNode(plain);
}

/** pgbench counts whole seconds. For less it is told how often each connection sends the statement: so often for a second. */
const BRIEFLY = 100;

async function runPgbench(
  program: string,
  { statement, connectionString, connections, seconds, worth = 1 }: PlainStatement,
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
      seconds < 1 ? `--transactions=${Math.ceil(BRIEFLY * seconds)}` : `--time=${Math.round(seconds)}`,
      `--file=${script}`,
      connectionString,
    ]);
    return sampleOf(stdout, worth);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sampleOf(said: string, worth: number): Sample {
  const number = (pattern: RegExp) => Number(pattern.exec(said)?.[1] ?? Number.NaN);
  const failed = number(/number of failed transactions: (\d+)/);
  const perSecond = number(/tps = ([\d.]+)/);
  if (failed > 0 || !(perSecond > 0)) throw new Error(`pgbench did not do its work:\n${said}`);
  return {
    perSecond: perSecond * worth,
    count: number(/transactions actually processed: (\d+)/) * worth,
    p50: number(/latency average = ([\d.]+)/),
  };
}

/** Where there is no pgbench. */
export async function runFromNode({
  statement,
  connectionString,
  seconds,
  worth = 1,
}: PlainStatement): Promise<Sample> {
  const clients = Array.from({ length: FALLBACK_CONNECTIONS }, () => new pg.Client({ connectionString }));
  await Promise.all(clients.map((client) => client.connect()));
  const text = statement.replaceAll(':quantity', '$1::int');
  const drawn = () => (text === statement ? [] : [1 + Math.floor(Math.random() * 4)]);
  try {
    const sample = await closedLoop({ clients: clients.length, seconds }, async (number) => {
      await clients[number]?.query({ name: 'plain', text, values: drawn() });
    });
    return { ...sample, perSecond: sample.perSecond * worth, count: (sample['count'] ?? 0) * worth };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
