/**
 * Clients under load, as a separate process: deliberately slow connections, and buyers who click faster than the server
 * can respond. Commands and results are messages.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Commands {
  slow: { url: string; eventId: string; each: number };
  capacity: { url: string; eventId: string; clients: number; seconds: number };
  rush: { url: string; eventId: string; perSecond: number; seconds: number };
  reserved: null;
  leave: null;
}

export interface Results {
  /** Slow connections open now, and closed by the server so far. */
  slow: { open: number; ended: number };
  capacity: { perSecond: number };
  rush: Rush;
  reserved: { open: number; ended: number };
  leave: { open: number; ended: number };
}

export interface Rush {
  sent: number;
  /** Count of each status; `503 without retry-after` and `no answer` are separate. */
  answers: Record<string, number>;
  /** Time of the slowest response. */
  slowestMs: number;
}

const FIRST_CART = 0x1000_0000;
let carts = 0;

/** A separate cart from one of a million addresses, as a proxy would report. */
function checkout(eventId: string): Buffer {
  const cart = FIRST_CART + carts++;
  const body = JSON.stringify({
    eventId,
    cartId: `019a0000-0000-7000-8000-0000${cart.toString(16).padStart(8, '0')}`,
    cartItems: [{ ticketName: 'General admission', quantity: 1 }],
  });
  return Buffer.from(
    `POST /api/public/create-checkout-session HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
      `x-forwarded-for: 10.${cart & 15}.${(cart >> 4) & 255}.${(cart >> 12) & 255}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

interface Buyer {
  socket: Socket;
  /** Sends one request. Resolves to the status line and headers, or null when the connection breaks. */
  ask(request: Buffer): Promise<string | null>;
}

function openBuyer(url: string): Buyer {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true });
  let received = '';
  let onResponse: (head: string | null) => void = () => {};
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const [head = '', body] = received.split('\r\n\r\n', 2);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (body === undefined || body.length < length) return;
    received = '';
    onResponse(head);
  });
  socket.on('error', () => {});
  socket.on('close', () => onResponse(null));
  return {
    socket,
    ask: (request) =>
      new Promise((resolve) => {
        onResponse = resolve;
        if (socket.destroyed) return resolve(null);
        socket.write(request);
      }),
  };
}

/** Throughput with this many buyers and one checkout each at a time, without overload. */
async function capacity({ url, eventId, clients, seconds }: Commands['capacity']): Promise<Results['capacity']> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let served = 0;
  const buy = async () => {
    const buyer = openBuyer(url);
    while (performance.now() < end) if ((await buyer.ask(checkout(eventId)))?.startsWith('HTTP/1.1 200')) served++;
    buyer.socket.destroy();
  };
  await Promise.all(Array.from({ length: clients }, buy));
  return { perSecond: served / ((performance.now() - start) / 1000) };
}

const TICK_MS = 10;
const LAST_ANSWERS_MS = 30_000;

/** Sends a fixed number of requests per second, answered or not, on free or new connections. */
async function rush({ url, eventId, perSecond, seconds }: Commands['rush']): Promise<Rush> {
  const seen: Rush = { sent: 0, answers: {}, slowestMs: 0 };
  const free: Buyer[] = [];
  const waiting = new Set<Promise<void>>();

  const buy = async () => {
    const buyer = free.pop() ?? openBuyer(url);
    const since = performance.now();
    const head = await buyer.ask(checkout(eventId));
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - since);
    const status = nameOf(head);
    seen.answers[status] = (seen.answers[status] ?? 0) + 1;
    if (head !== null) free.push(buyer);
  };

  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond);
    for (; seen.sent < due; seen.sent++) {
      const bought = buy().finally(() => waiting.delete(bought));
      waiting.add(bought);
    }
    await sleep(TICK_MS);
  }
  await Promise.race([Promise.all(waiting), sleep(LAST_ANSWERS_MS)]);
  if (waiting.size > 0) seen.answers['no answer'] = waiting.size;
  for (const { socket } of free) socket.destroy();
  return seen;
}

function nameOf(head: string | null): string {
  if (head === null) return 'broken off';
  const status = head.slice(9, 12);
  return status === '503' && !/\r\nretry-after: *\d/i.test(head) ? '503 without retry-after' : status;
}

const DRIP_MS = 2_000;
const slow = new Set<Socket>();
let ended = 0;
let isOver = false;

/** Headers that never end, a body that never arrives, and a response that is never read. */
const SLOW: ((socket: Socket, eventId: string) => void)[] = [
  (socket) => drip(socket, 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: '),
  (socket) =>
    drip(
      socket,
      'POST /api/public/create-checkout-session HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{"eventId":"',
    ),
  (socket, eventId) => {
    socket.pause();
    socket.write(`GET /payment/${eventId} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`.repeat(30));
  },
];

function drip(socket: Socket, beginning: string): void {
  socket.write(beginning);
  const dripping = setInterval(() => socket.write('a'), DRIP_MS);
  socket.on('close', () => clearInterval(dripping));
}

/** Reconnects whenever the server closes the connection. */
function openSlow(url: string, eventId: string, kind: number): void {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  slow.add(socket);
  socket.on('connect', () => SLOW[kind]?.(socket, eventId));
  if (kind < 2) socket.resume();
  socket.on('error', () => {});
  socket.on('close', () => {
    slow.delete(socket);
    if (isOver) return;
    ended++;
    setTimeout(() => isOver || openSlow(url, eventId, kind), 100);
  });
}

const slowConnections = () => ({ open: [...slow].filter((socket) => socket.readyState === 'open').length, ended });

const commands: { [Name in keyof Commands]: (asked: Commands[Name]) => Promise<Results[Name]> } = {
  async slow({ url, eventId, each }) {
    for (let number = 0; number < each; number++) {
      for (const kind of SLOW.keys()) openSlow(url, eventId, kind);
      if (number % 20 === 0) await sleep(5);
    }
    await sleep(200);
    return slowConnections();
  },
  capacity,
  rush,
  reserved: async () => slowConnections(),
  async leave() {
    isOver = true;
    for (const socket of slow) socket.destroy();
    await sleep(200);
    isOver = false;
    return slowConnections();
  },
};

process.on('message', ([name, asked]: [keyof Commands, never]) => {
  void commands[name](asked).then((results) => process.send?.(results));
});
process.on('disconnect', () => process.exit(0));
