/**
 * Listens on one port with several sockets. Node accepts one connection per socket and event loop iteration, so that with a
 * single socket, new connections would wait too long under load. See docs/decisions/0029.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { evictOldest } from '#server/platform/http/connections.ts';

const SOCKETS = 32;
/** Node's default of 511 fills up within a second under load, and rejected connections retry only after seconds. */
const BACKLOG = 4096;
const SWEEP_MS = 100;
const MAX_CONNECTIONS = 10_000;
/** File descriptors for files and outgoing connections. */
const RESERVED_DESCRIPTORS = 200;

interface Address {
  port: number;
  host: string;
}

/** Resolves to a function that stops listening at once and lets requests in progress finish. */
export async function listen(app: FastifyInstance, { port, host }: Address): Promise<() => Promise<void>> {
  evictOldest(app.server, await connectionLimit());
  // Only Linux balances connections between sockets on one port. For cluster workers, the primary process accepts them.
  if (process.platform !== 'linux' || cluster.isWorker) {
    await app.listen({ port, host, backlog: BACKLOG });
    return () => app.close();
  }

  await assertPortIsFree({ port, host });
  const options = { host, backlog: BACKLOG, reusePort: true };
  await app.listen({ port, ...options });
  const own = app.server.address();
  const extraServers = Array.from({ length: SOCKETS - 1 }, () => openExtraServer(app));
  for (const extra of extraServers) {
    extra.listen({ port: typeof own === 'object' && own ? own.port : port, ...options });
    await once(extra, 'listening');
  }
  return () => close(app, extraServers);
}

/** The limit of open files, minus a reserve. */
async function connectionLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? MAX_CONNECTIONS);
  return Math.min(MAX_CONNECTIONS, Math.max(files - RESERVED_DESCRIPTORS, RESERVED_DESCRIPTORS));
}

/** With `reusePort`, a second instance would share the port instead of failing. */
async function assertPortIsFree(address: Address): Promise<void> {
  const probe = createServer().listen(address);
  await once(probe, 'listening');
  await once(probe.close(), 'close');
}

/** Uses the socket options of Node's HTTP server. */
function openExtraServer(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket));
}

async function close(app: FastifyInstance, extraServers: readonly Server[]): Promise<void> {
  const closed = extraServers.map((extra) => once(extra.close(), 'close'));
  // Fastify ends idle connections only until its own server is closed.
  const timer = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  try {
    await Promise.all([app.close(), ...closed]);
  } finally {
    clearInterval(timer);
  }
}
