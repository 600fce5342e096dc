/** HAProxy with the configurations that we ship, on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '#tests/support/free-port.ts';
import { until } from '#tests/support/metrics.ts';
import type { Machines } from './cluster/machines.ts';
import { replaced, shippedFile } from './cluster/shipped-files.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url);

export interface Haproxy {
  pid: number | undefined;
  /** Resolves once HAProxy sends requests to the server, or no longer does. */
  untilUsed(server: string, isUsed: boolean): Promise<void>;
  close(): Promise<void>;
}

/** In front of the app. @param ports of the two servers */
export async function openHaproxy(port: number, [one, two]: readonly [number, number]): Promise<Haproxy> {
  const metricsPort = await freePort();
  const configuration = replaced(readFileSync(new URL('haproxy.cfg', DEPLOY), 'utf8'), {
    'bind :80': `bind 127.0.0.1:${port}`,
    '127.0.0.1:8405': `127.0.0.1:${metricsPort}`,
    '10.0.0.11:3000': `127.0.0.1:${one}`,
    '10.0.0.12:3000': `127.0.0.1:${two}`,
    '/etc/haproxy/handstamp-503.http': new URL('handstamp-503.http', DEPLOY).pathname,
  });
  const opened = start(configuration, { metricsPort, proxy: 'handstamp' });
  try {
    await Promise.all([opened.untilUsed('one', true), opened.untilUsed('two', true)]);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** In front of the database, as on each host of the app. */
export async function openDatabaseHaproxy(port: number, { subnet }: Pick<Machines, 'subnet'>): Promise<Haproxy> {
  const metricsPort = await freePort();
  const configuration = replaced(shippedFile('haproxy.cfg'), {
    'bind 127.0.0.1:5432': `bind 127.0.0.1:${port}`,
    '127.0.0.1:8406': `127.0.0.1:${metricsPort}`,
    '10.0.0.': `${subnet}.`,
  });
  return start(configuration, { metricsPort, proxy: 'primary' });
}

function start(configuration: string, { metricsPort, proxy }: { metricsPort: number; proxy: string }): Haproxy {
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-haproxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration);
  const haproxy = spawn('haproxy', ['-f', file, '-db'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const printed: string[] = [];
  haproxy.stderr.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  haproxy.on('error', (error) => printed.push(`${error.message}. Install it with: apt install haproxy`));
  return {
    pid: haproxy.pid,
    async untilUsed(server, isUsed) {
      const state = `haproxy_server_status{proxy="${proxy}",server="${server}",state="UP"} ${isUsed ? 1 : 0}`;
      const isSo = async () => (await metricsAt(metricsPort)).includes(state);
      await until(`HAProxy reports ${state}`, isSo).catch((error: unknown) => {
        throw new Error(printed.join('') || 'HAProxy printed nothing', { cause: error });
      });
    },
    async close() {
      await end(haproxy);
      rmSync(folder, { recursive: true });
    },
  };
}

const metricsAt = (port: number): Promise<string> =>
  fetch(`http://127.0.0.1:${port}/metrics`).then(
    (reply) => reply.text(),
    () => '',
  );

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
