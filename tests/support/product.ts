/**
 * The real server, started like `npm start`: a separate process, an empty database, and the sandbox as payment
 * processor.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/join-postgres.ts';
import { cleanUpOnExit } from './clean-up-on-exit.ts';
import { freePort } from './free-port.ts';
import { makeDataDirectory } from './test-database.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY = /Handstamp listening on (http\S+)/;
const SECONDS_TO_START = 180;

export interface Product {
  /** Public URL, without a trailing slash. */
  url: string;
  /** The sandbox's API, with `/_sandbox/clock` and `/_sandbox/faults`. */
  sandboxUrl: string;
  dataDir: string;
  /** Connection string of the database owner, while the server runs. */
  databaseAddress(): Promise<string>;
  /** All output so far, across restarts. */
  output(): string;
  /** The process spawned last: the server, or the script that starts it. */
  pid(): number;
  /** Kills the server as a power cut would; if the script started it, kills the script's process group. */
  kill(): Promise<void>;
  /** Stops the server as an operator would, if it still runs; resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Starts it again on the same address and database. `folder`: another checkout, from now on. */
  start(folder?: string): Promise<void>;
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** The server itself, or the script of `npm start`, which leads a process group as in a terminal. */
type Program = 'src/server/main/main.ts' | 'scripts/start.mjs';

/**
 * @param environment settings beyond a free port, a temporary DATA_DIR and no demo
 * @param folder of the checkout that runs
 */
export async function startProduct(
  environment: Record<string, string> = {},
  program: Program = 'src/server/main/main.ts',
  folder: string = ROOT,
): Promise<Product> {
  const dataDir = makeDataDirectory();
  const cleanUp = cleanUpOnExit(dataDir);
  const port = await freePort();
  const sandboxPort = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    SEED_DEMO: '0',
    DRAIN_SECONDS: '0',
    WEBHOOKS_TO_LOOPBACK: '1',
    LOG_LEVEL: 'warn',
    ...environment,
  };
  const printed: string[] = [];
  let server: ChildProcess | undefined;
  let cwd = folder;

  const product: Product = {
    url: `http://localhost:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    dataDir,
    databaseAddress: async () => env.DATABASE_URL || (await joinEmbeddedPostgres({ dataDir })).connectionString,
    output: () => printed.join(''),
    pid: () => server?.pid ?? 0,
    async kill() {
      await end(server, 'SIGKILL', program === 'scripts/start.mjs');
    },
    async stop() {
      await end(server, 'SIGTERM');
      return server?.exitCode ?? null;
    },
    async start(other = cwd) {
      cwd = other;
      server = spawnServer(program, { cwd, env }, dataDir, printed);
      await untilReady(server, printed);
    },
    async restart() {
      await product.stop();
      await product.start();
    },
    async remove() {
      await product.stop();
      await cleanUp();
    },
  };
  await product.start().catch(async (error: unknown) => {
    await product.remove();
    throw error;
  });
  return product;
}

/** How console and inbox answer a request that a proxy forwards for another machine. */
export const sandboxFromElsewhere = ({ url }: Product): Promise<number[]> =>
  Promise.all(
    ['/sandbox/', '/sandbox/inbox.json'].map(async (page) => {
      const answer = await fetch(url + page, { headers: { 'x-forwarded-for': '203.0.113.9' } });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );

/** Starts the server where it should fail, and waits for it to exit. */
export async function attemptStart(
  product: Product,
  environment: Record<string, string>,
): Promise<{ exitCode: number | null; output: string }> {
  const { port } = new URL(product.url);
  const env = {
    ...process.env,
    PORT: port,
    DATA_DIR: product.dataDir,
    SEED_DEMO: '0',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'warn',
    ...environment,
  };
  const server = spawn(process.execPath, ['src/server/main/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  }
  await once(server, 'close');
  return { exitCode: server.exitCode, output: printed.join('') };
}

function spawnServer(
  program: Program,
  options: { cwd: string; env: NodeJS.ProcessEnv },
  dataDir: string,
  printed: string[],
): ChildProcess {
  const server = spawn(process.execPath, [program], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: program === 'scripts/start.mjs',
  });
  const pidFile = path.join(dataDir, 'server.pid');
  writeFileSync(pidFile, String(server.pid));
  server.on('exit', () => rmSync(pidFile, { force: true }));
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  }
  return server;
}

async function untilReady(server: ChildProcess, printed: string[]): Promise<void> {
  const before = printed.length;
  const output = () => printed.slice(before).join('');
  const deadline = Date.now() + SECONDS_TO_START * 1000;
  while (!READY.test(output())) {
    if (hasEnded(server)) throw new Error(`The server exited instead of starting (${server.exitCode}):\n${output()}`);
    if (Date.now() > deadline) throw new Error(`The server was not ready in ${SECONDS_TO_START} s:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function end(server: ChildProcess | undefined, signal: NodeJS.Signals, group = false): Promise<void> {
  if (!server?.pid || hasEnded(server)) return;
  const exited = once(server, 'exit');
  process.kill(group ? -server.pid : server.pid, signal);
  await exited;
}

const hasEnded = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null;
