/**
 * Load generator over HTTP keep-alive connections, one request at a time on each. The server runs in its own process.
 * Parses only what a measurement needs: on two cores, CPU spent here is missing on the server.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Sample } from './benchmark.ts';
import { Latencies } from './latencies.ts';

export interface Answer {
  status: number;
  body: Buffer;
}

export interface Load {
  /** The server's processes; connections are spread over them round-robin. */
  origins: readonly string[];
  connections: number;
  seconds: number;
  /** The next request of a connection, from `get` or `post`. */
  next(connection: number): Buffer;
  /** Which answers are counted and timed; the others only count toward their status. */
  counts?(status: number): boolean;
  /** Receives every answer, for checks of the totals. */
  onAnswer?(answer: Answer, connection: number): void;
}

/** Returns a sample with the number of answers per status: `status200`, `status409`. */
export async function load(plan: Load): Promise<Sample> {
  const latencies = new Latencies();
  const statuses = new Map<number, number>();
  const sockets = await Promise.all(Array.from({ length: plan.connections }, (_, number) => connection(plan, number)));
  const start = performance.now();
  const end = start + plan.seconds * 1000;
  await Promise.all(sockets.map((socket, number) => drive({ plan, socket, number, end, latencies, statuses })));
  const seconds = (performance.now() - start) / 1000;
  return {
    ...latencies.sample(seconds),
    ...Object.fromEntries([...statuses].map(([status, count]) => [`status${status}`, count])),
  };
}

async function connection({ origins }: Load, number: number): Promise<Socket> {
  const { hostname, port } = new URL(origins[number % origins.length] ?? '');
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

interface Drive {
  plan: Load;
  socket: Socket;
  number: number;
  end: number;
  latencies: Latencies;
  statuses: Map<number, number>;
}

const TIMEOUT_MS = 30_000;

function drive({ plan, socket, number, end, latencies, statuses }: Drive): Promise<void> {
  const counts = plan.counts ?? ((status: number) => status < 400);
  return new Promise((resolve, reject) => {
    let since = 0;
    let rest: Buffer = Buffer.alloc(0);
    const send = () => {
      since = performance.now();
      if (since < end) return socket.write(plan.next(number));
      socket.removeAllListeners().on('error', () => {});
      socket.end();
      return resolve();
    };
    socket.setTimeout(TIMEOUT_MS, () => reject(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const answer = readAnswer(rest);
      if (!answer) return;
      rest = Buffer.alloc(0);
      if (counts(answer.status)) latencies.record(since);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      plan.onAnswer?.(answer, number);
      send();
    });
    send();
  });
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Parses the pending answer of a connection once it is complete. */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const start = headEnd + HEAD_END.length;
  if (status === 304 || status === 204) return { status, body: Buffer.alloc(0) };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) {
    // Chunked: the body is not decoded, so only its end matters.
    return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? { status, body: bytes.subarray(start) } : undefined;
  }
  const body = bytes.subarray(start);
  return body.length >= Number(length) ? { status, body } : undefined;
}

export function get(path: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headerLines(headers)}\r\n`);
}

export function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const json = JSON.stringify(body);
  const head = headerLines({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
    ...headers,
  });
  return Buffer.from(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n${json}`);
}

/**
 * Sets one of a million client addresses, each in a network of its own, as a proxy would (the app trusts one), so that limits per
 * address and per network are counted but never reached.
 */
export function fromSomewhere(): Record<string, string> {
  const number = Math.floor(Math.random() * 1_000_000);
  return { 'x-forwarded-for': `${16 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}.1` };
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
