/** Connections that occupy resources: what each may take, and when it is closed. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endSlowBodies, evictOldest } from '#server/platform/http/connections.ts';
import { openRaw, type RawConnection, statusesIn } from '#tests/support/raw-connection.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const WAITS = 'GET /waits HTTP/1.1\r\nhost: a\r\n\r\n';
const LARGE = 'GET /large HTTP/1.1\r\nhost: a\r\n\r\n';
const HEAD = 'HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n';

describe('the started server', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ runsJobs: false });
  });
  afterAll(() => app.close());

  it('allows 10 s for headers, 120 s for a request, 65 s for an idle connection and 90 s for a silent one', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = app.server.server;

    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      timeout: 90_000,
    });
  });

  it('closes a connection that sends headers one byte at a time, with 408', async () => {
    app.server.server.headersTimeout = 300;
    const slow = await openRaw(app.publicUrl);
    slow.send('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ');
    const dripping = setInterval(() => slow.send('a'), 50);

    const answer = await slow.ended;
    clearInterval(dripping);
    app.server.server.headersTimeout = 10_000;
    expect(statusesIn(answer)).toEqual([408]);
    expect(answer).toContain('request.too-slow');
  });

  it('closes a connection that does not read the response', async () => {
    const { server } = app.server;
    server.timeout = 300;
    const reader = await openRaw(app.publicUrl);
    reader.socket.pause();
    // Far more responses than the buffers of both sides hold.
    for (let times = 0; times < 200; times++) reader.send('GET /livez HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(200));

    await expect.poll(() => connectionsOf(app.server)).toBe(0);
    server.timeout = 90_000;
    reader.leave();
  });
});

const connectionsOf = ({ server }: FastifyInstance) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

describe('POST /api/public/create-checkout-session', () => {
  let server: FastifyInstance;
  let answerWaiting: () => void;
  const opened: RawConnection[] = [];
  afterEach(async () => {
    for (const connection of opened.splice(0)) connection.leave();
    await server.close();
  });

  async function open(): Promise<RawConnection> {
    const { port } = server.server.address() as AddressInfo;
    const connection = await openRaw(`http://127.0.0.1:${port}`);
    opened.push(connection);
    return connection;
  }

  async function serve({ withinMs = 30_000, most = 1_000 }): Promise<void> {
    server = Fastify();
    endSlowBodies(server, { withinMs, headers: { 'x-of-all': 'yes' } });
    server.post('/', async () => ({ served: true }));
    server.get('/', async () => ({ served: true }));
    const { promise: isAnswered, resolve } = Promise.withResolvers<object>();
    answerWaiting = () => resolve({ served: true });
    server.get('/waits', () => isAnswered);
    server.get('/large', async () => 'x'.repeat(20_000_000));
    await server.listen({ port: 0, host: '127.0.0.1' });
    evictOldest(server.server, most);
  }

  it('closes a connection that sends the body one byte at a time, with 408, and none that finishes in time', async () => {
    await serve({ withinMs: 300 });
    const [slow, quick] = [await open(), await open()];
    quick.send(`POST / ${HEAD}content-length: 2\r\n\r\n{}`);
    slow.send(`POST / ${HEAD}content-length: 1000\r\n\r\n{"`);
    const dripping = setInterval(() => slow.send('a'), 50);

    const answer = await slow.ended;
    clearInterval(dripping);
    expect(statusesIn(answer)).toEqual([408]);
    expect(answer).toMatch(/^x-of-all: yes\r\n(.+\r\n)*cache-control: no-store\r$/m);
    expect(statusesIn(quick.received())).toEqual([200]);
    quick.send(`POST / ${HEAD}content-length: 2\r\n\r\n{}`);
    await expect.poll(() => statusesIn(quick.received())).toEqual([200, 200]);
  });

  it('accepts a buyer when silent connections take all slots, in place of the oldest one', async () => {
    await serve({ most: 3 });
    const [first, second, third] = [await open(), await open(), await open()];
    second.send('GET / HTTP/1.1\r\nx-slow: ');
    await expect.poll(() => connectionsOf(server)).toBe(3);

    const buyer = await open();
    buyer.send(`POST / ${HEAD}content-length: 2\r\n\r\n{}`);

    await first.ended;
    await expect.poll(() => statusesIn(buyer.received())).toEqual([200]);
    expect([second.socket.destroyed, third.socket.destroyed]).toEqual([false, false]);
  });

  it('accepts a buyer when unfinished bodies take all slots, and interrupts no response for it', async () => {
    await serve({ most: 3 });
    const first = await openWith(WAITS);
    const body = await openWith(`POST / ${HEAD}content-length: 1000\r\n\r\n{"`);
    const last = await openWith(WAITS);

    await buyInPlaceOf(body);

    answerWaiting();
    await expect.poll(() => [first, last].map((each) => statusesIn(each.received()))).toEqual([[200], [200]]);
  });

  it('accepts buyers when unread responses take all slots, in place of the oldest ones', async () => {
    await serve({ most: 3 });
    const asker = await openWith(WAITS);
    const readers = [await openWith(LARGE, { isRead: false }), await openWith(LARGE, { isRead: false })];

    for (const reader of readers) {
      const buyer = await buyInPlaceOf(reader);
      // The next one finds no connection that is idle or still sending.
      await askAt(buyer, WAITS);
    }
    answerWaiting();
    await expect.poll(() => statusesIn(asker.received())).toEqual([200]);
  });

  it('rejects the newest connection when all others are being served', async () => {
    await serve({ most: 2 });
    const askers = [await openWith(WAITS), await openWith(WAITS)];

    expect(await (await open()).ended).toBe('');

    answerWaiting();
    await expect.poll(() => askers.map((each) => statusesIn(each.received()))).toEqual([[200], [200]]);
  });

  it('keeps its connection limit, however many arrive at once', async () => {
    const server = createServer();
    // No HTTP is needed here, so these connections have no handler.
    server.removeAllListeners('connection');
    evictOldest(server, 10);
    const sockets = Array.from({ length: 200 }, () => new Socket());

    for (const socket of sockets) server.emit('connection', socket);

    expect(sockets.map(({ destroyed }) => destroyed)).toEqual(sockets.map((_, place) => place < 190));
  });

  /** Resolves when the server has received the request. */
  async function askAt(connection: RawConnection, request: string): Promise<void> {
    const heard = once(server.server, 'request');
    connection.send(request);
    await heard;
  }

  async function openWith(request: string, { isRead = true } = {}): Promise<RawConnection> {
    const connection = await open();
    if (!isRead) connection.socket.pause();
    await askAt(connection, request);
    return connection;
  }

  async function buyInPlaceOf(thrownOut: RawConnection): Promise<RawConnection> {
    const buyer = await open();
    buyer.send(`POST / ${HEAD}content-length: 2\r\n\r\n{}`);
    await expect.poll(() => statusesIn(buyer.received())).toEqual([200]);
    thrownOut.socket.resume();
    await thrownOut.ended;
    return buyer;
  }
});
