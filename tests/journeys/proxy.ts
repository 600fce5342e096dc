/**
 * What stands between people and the product, and can go away: the network, and with it a server that goes over to another build.
 * The browser's own "offline" would do for pages, but not for all that a worker asks.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from '#tests/support/free-port.ts';
import type { Product } from '#tests/support/product.ts';

export interface Front {
  url: string;
  /** Nobody answers any more. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Answers nothing, and says nothing either: a line that is hardly there. */
  hang(): void;
  /** Whoever stands before the product says that it is down. */
  breakDown(): void;
  /** From now on every built script has another name, and the old ones are gone. */
  changeBuild(): void;
  /** Files of this name are missing. */
  loseFile(name: RegExp): void;
  /** The server is of a version that has never had a worker. */
  loseWorker(): void;
}

type Mood = 'ordinary' | 'hanging' | 'broken';

export async function openFront(product: Product): Promise<Front> {
  const port = await freePort();
  let mood: Mood = 'ordinary';
  let isChanged = false;
  const lost: RegExp[] = [];
  let server: Server | null = null;

  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (mood === 'hanging') return;
    if (mood === 'broken') return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    const path = request.url ?? '/';
    if (lost.some((name) => name.test(path)) || (isChanged && OLD_SCRIPT.test(path)))
      return response.writeHead(404).end();
    const reply = await ask(product.url + (isChanged ? oldNamesIn(path) : path), request);
    const body = Buffer.from(await reply.arrayBuffer());
    const isText = /html|javascript/.test(reply.headers.get('content-type') ?? '');
    for (const [name, value] of reply.headers) if (!OF_ONE_CONNECTION.has(name)) response.setHeader(name, value);
    response.setHeader('set-cookie', reply.headers.getSetCookie());
    return response.writeHead(reply.status).end(isChanged && isText ? newNamesIn(body.toString()) : body);
  }

  const front: Front = {
    url: `http://localhost:${port}`,
    async goAway() {
      const going = server;
      server = null;
      if (!going) return;
      going.closeAllConnections();
      await once(going.close(), 'close');
    },
    async comeBack() {
      mood = 'ordinary';
      if (server) return;
      server = createServer((request, response) => {
        answer(request, response).catch(() => response.destroy());
      }).listen(port, 'localhost');
      await once(server, 'listening');
    },
    hang: () => void (mood = 'hanging'),
    breakDown: () => void (mood = 'broken'),
    changeBuild: () => void (isChanged = true),
    loseFile: (name) => void lost.push(name),
    loseWorker: () => front.loseFile(/^\/worker\.js$/),
  };
  await front.comeBack();
  return front;
}

const OF_ONE_CONNECTION = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'set-cookie']);

/** `kit-AbCd1234.js` is `kit-AbCd1234.next.js` in the other build. */
const OLD_SCRIPT = /-[\w-]{8}\.js$/;
const newNamesIn = (text: string) => text.replace(/(-[\w-]{8})\.js\b/g, '$1.next.js');
const oldNamesIn = (path: string) => path.replace('.next.js', '.js');

const PASSED_ON = ['accept', 'content-type', 'cookie', 'sec-fetch-site', 'x-xsrf-token'];

async function ask(address: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET', headers } = request;
  const passed = PASSED_ON.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []));
  return fetch(address, {
    method,
    headers: { ...Object.fromEntries(passed), 'accept-encoding': 'identity' },
    redirect: 'manual',
    ...(method === 'GET' ? {} : { body: await buffer(request) }),
  });
}
