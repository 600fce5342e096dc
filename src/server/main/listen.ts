/**
 * Listens with several sockets on one port. From each, Node takes one connection in a turn of its event loop: in a rush, whose turns
 * are long, a single one would keep everybody waiting to be let in, the door too. Source: docs/decisions/0029.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { endOldest } from '#server/platform/http/connections.ts';

const SOCKETS = 32;
/** Node's 511 are full within a second of a rush, and whoever finds no place there tries again after seconds. */
const BACKLOG = 4096;
const SWEEP_MS = 100;
const CONNECTIONS_MAX = 10_000;
/** Files, and connections to others. */
const BESIDE_CONNECTIONS = 200;

interface Address {
  port: number;
  host: string;
}

/** Resolves, once it listens, to what closes it: new connections are refused at once, and those under way are finished. */
export async function listen(app: FastifyInstance, { port, host }: Address): Promise<() => Promise<void>> {
  endOldest(app.server, await mostConnections());
  // Elsewhere systems do not share a port so, and of several workers it is the first process that takes connections.
  if (process.platform !== 'linux' || cluster.isWorker) {
    await app.listen({ port, host, backlog: BACKLOG });
    return () => app.close();
  }

  await explainPortInUse({ port, host });
  const sharing = { host, backlog: BACKLOG, reusePort: true };
  await app.listen({ port, ...sharing });
  const own = app.server.address();
  const others = Array.from({ length: SOCKETS - 1 }, () => openBeside(app));
  for (const other of others) {
    other.listen({ port: typeof own === 'object' && own ? own.port : port, ...sharing });
    await once(other, 'listening');
  }
  return () => close(app, others);
}

/** As many as the system lets this process have, less what it needs for itself. */
async function mostConnections(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? CONNECTIONS_MAX);
  return Math.min(CONNECTIONS_MAX, Math.max(files - BESIDE_CONNECTIONS, BESIDE_CONNECTIONS));
}

/** Sockets that share a port share it with anybody's who does, such as a product that was started twice. */
async function explainPortInUse(address: Address): Promise<void> {
  const probe = createServer().listen(address);
  await once(probe, 'listening');
  await once(probe.close(), 'close');
}

/** With the settings that Node's own HTTP server gives its connections. */
function openBeside(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket));
}

async function close(app: FastifyInstance, others: readonly Server[]): Promise<void> {
  const closed = others.map((other) => once(other.close(), 'close'));
  // The application sweeps for as long as it has connections of its own.
  const sweeping = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  try {
    await Promise.all([app.close(), ...closed]);
  } finally {
    clearInterval(sweeping);
  }
}
