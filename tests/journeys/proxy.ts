/**
 * A proxy between the browser and the app that can fail: lose the network, hang, or switch to another build. Needed
 * because the browser's own "offline" mode does not cover every request of a service worker.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from '#tests/support/free-port.ts';
import type { Product } from '#tests/support/product.ts';

export interface TestProxy {
  url: string;
  /** Refuses connections. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  /** Accepts requests and never answers. */
  hang(): void;
  /** Answers every request with 502. */
  fail(): void;
  /** Renames every built script; the old names return 404. */
  changeBuild(): void;
  /** Returns 404 for files with this name. */
  loseFile(name: RegExp): void;
  /** Acts like a version without a service worker. */
  loseWorker(): void;
}

type Mode = 'ordinary' | 'hanging' | 'broken';

export async function openProxy(product: Product): Promise<TestProxy> {
  const port = await freePort();
  let mode: Mode = 'ordinary';
  let isChanged = false;
  const missing: RegExp[] = [];
  let server: Server | null = null;

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (mode === 'hanging') return;
    if (mode === 'broken') return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    const path = request.url ?? '/';
    if (missing.some((name) => name.test(path)) || (isChanged && OLD_SCRIPT.test(path)))
      return response.writeHead(404).end();
    const reply = await forward(product.url + (isChanged ? oldNamesIn(path) : path), request);
    const body = Buffer.from(await reply.arrayBuffer());
    const isText = /html|javascript/.test(reply.headers.get('content-type') ?? '');
    for (const [name, value] of reply.headers) if (!PER_CONNECTION_HEADERS.has(name)) response.setHeader(name, value);
    response.setHeader('set-cookie', reply.headers.getSetCookie());
    return response.writeHead(reply.status).end(isChanged && isText ? newNamesIn(body.toString()) : body);
  }

  const proxy: TestProxy = {
    url: `http://localhost:${port}`,
    async disconnect() {
      const going = server;
      server = null;
      if (!going) return;
      going.closeAllConnections();
      await once(going.close(), 'close');
    },
    async reconnect() {
      mode = 'ordinary';
      if (server) return;
      server = createServer((request, response) => {
        answer(request, response).catch(() => response.destroy());
      }).listen(port, 'localhost');
      await once(server, 'listening');
    },
    hang: () => void (mode = 'hanging'),
    fail: () => void (mode = 'broken'),
    changeBuild: () => void (isChanged = true),
    loseFile: (name) => void missing.push(name),
    loseWorker: () => proxy.loseFile(/^\/worker\.js$/),
  };
  await proxy.reconnect();
  return proxy;
}

const PER_CONNECTION_HEADERS = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'set-cookie',
]);

/** `kit-AbCd1234.js` is `kit-AbCd1234.next.js` in the other build. */
const OLD_SCRIPT = /-[\w-]{7}\.js$/;
const newNamesIn = (text: string) => text.replace(/(-[\w-]{7})\.js\b/g, '$1.next.js');
const oldNamesIn = (path: string) => path.replace('.next.js', '.js');

const FORWARDED_HEADERS = ['accept', 'content-type', 'cookie', 'sec-fetch-site', 'x-xsrf-token'];

async function forward(address: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET', headers } = request;
  const forwarded = FORWARDED_HEADERS.flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
  );
  return fetch(address, {
    method,
    headers: { ...Object.fromEntries(forwarded), 'accept-encoding': 'identity' },
    redirect: 'manual',
    ...(method === 'GET' ? {} : { body: await buffer(request) }),
  });
}
