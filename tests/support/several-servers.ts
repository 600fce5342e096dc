/**
 * Several servers of one installation, which share a database and a bucket but no disk. Each request goes to the next one, so that
 * nothing may depend on which server answered before.
 */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import { pipeline } from 'node:stream';
import { freePort } from './free-port.ts';
import { type Product, startProduct } from './product.ts';
import { type S3Server, startS3Server } from './s3-server.ts';

const APP_SECRET = 'a secret for all servers of more than 32 characters';

/** @param environment settings with a `DATABASE_URL` */
export async function startServers(count: number, environment: Record<string, string>): Promise<Product> {
  const s3 = await startS3Server();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const shared = { APP_SECRET, ...environment, ...s3.environment, PUBLIC_URL: url };
  const servers: Product[] = [];
  const ports = () => servers.map((server) => Number(new URL(server.url).port));
  const proxy = await openRoundRobin(port, ports);
  try {
    // The first one migrates and makes the demo.
    servers.push(await startProduct(shared));
    const others = await Promise.all(
      Array.from({ length: count - 1 }, () => startProduct({ ...shared, SEED_DEMO: '0' })),
    );
    servers.push(...others);
  } catch (error) {
    await remove({ servers, proxy, s3 });
    throw error;
  }
  const [first] = servers;
  if (!first) throw new Error('an installation has at least one server');
  const all = async (act: (server: Product) => Promise<unknown>) => void (await Promise.all(servers.map(act)));
  return {
    ...first,
    url,
    output: () => servers.map((server) => server.output()).join(''),
    kill: () => all((server) => server.kill()),
    async stop() {
      await all((server) => server.stop());
      return null;
    },
    start: () => all((server) => server.start()),
    restart: () => all((server) => server.restart()),
    remove: () => remove({ servers, proxy, s3 }),
  };
}

async function remove({ servers, proxy, s3 }: { servers: Product[]; proxy: Server; s3: S3Server }): Promise<void> {
  proxy.closeAllConnections();
  proxy.close();
  await Promise.all(servers.map((server) => server.remove()));
  await s3.close();
}

async function openRoundRobin(port: number, ports: () => number[]): Promise<Server> {
  // A connection that a server is about to close would fail the next request on it.
  const agent = new Agent({ keepAlive: false });
  let turn = 0;
  const proxy = createServer((request, response) => {
    const all = ports();
    const next = all[turn++ % all.length];
    if (next === undefined) response.writeHead(503).end();
    else forward(request, response, { port: next, agent });
  });
  proxy.listen(port, 'localhost');
  await once(proxy, 'listening');
  return proxy;
}

/** With the host that the browser asked for: there is one website. */
function forward(request: IncomingMessage, response: ServerResponse, to: { port: number; agent: Agent }): void {
  const { method, url: path, rawHeaders: headers } = request;
  const forwarded = send({ host: '127.0.0.1', ...to, method, path, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, withoutConnection(reply.rawHeaders));
    pipeline(reply, response, () => {});
  });
  forwarded.on('error', () => response.destroy());
  response.on('close', () => forwarded.destroy());
  pipeline(request, forwarded, () => {});
}

const PER_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** Names and values alternate. */
function withoutConnection(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => !PER_CONNECTION.has((rawHeaders[index - (index % 2)] ?? '').toLowerCase()));
}
