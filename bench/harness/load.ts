/**
 * Loads a server over HTTP with keep-alive connections, one request at a time on each. The server runs in a process of
 * its own, so this one has nothing else to do. It reads of an answer only what a measurement needs: on two cores, what
 * the generator uses the server lacks.
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
  /** The server's processes; connections are spread over them in turn. */
  origins: readonly string[];
  connections: number;
  seconds: number;
  /** The whole next request of a connection, from `get` or `post`. */
  next(connection: number): Buffer;
  /** Which answers are counted and timed; all others only appear under their status. */
  counts?(status: number): boolean;
  /** Is shown every answer, for totals that are checked afterwards. */
  onAnswer?(answer: Answer, connection: number): void;
}

/** A sample that also tells how often each status came: `status200`, `status409`. */
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

const PATIENCE_MS = 30_000;

function drive({ plan, socket, number, end, latencies, statuses }: Drive): Promise<void> {
  const counts = plan.counts ?? ((status: number) => status < 400);
  return new Promise((resolve, reject) => {
    let since = 0;
    let rest: Buffer = Buffer.alloc(0);
    const ask = () => {
      since = performance.now();
      if (since < end) return socket.write(plan.next(number));
      socket.removeAllListeners().on('error', () => {});
      socket.end();
      return resolve();
    };
    socket.setTimeout(PATIENCE_MS, () => reject(new Error(`no answer in ${PATIENCE_MS} ms`)));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server broke off a connection')));
    socket.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const answer = readAnswer(rest);
      if (!answer) return;
      rest = Buffer.alloc(0);
      if (counts(answer.status)) latencies.record(since);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      plan.onAnswer?.(answer, number);
      ask();
    });
    ask();
  });
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** The one answer that a connection waits for, once all of it is there. */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const start = headEnd + HEAD_END.length;
  if (status === 304 || status === 204) return { status, body: Buffer.alloc(0) };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) {
    // In chunks: nobody here reads them, so only their end matters.
    return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? { status, body: bytes.subarray(start) } : undefined;
  }
  const body = bytes.subarray(start);
  return body.length >= Number(length) ? { status, body } : undefined;
}

export function get(path: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${linesOf(headers)}\r\n`);
}

export function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const json = JSON.stringify(body);
  const head = linesOf({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
    ...headers,
  });
  return Buffer.from(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n${json}`);
}

/**
 * Says that a request came from one of a million addresses, as a proxy would (the benched app trusts one), so that the
 * budgets per address are counted and nobody uses theirs up.
 */
export function fromSomewhere(): Record<string, string> {
  const number = Math.floor(Math.random() * 1_000_000);
  return { 'x-forwarded-for': `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` };
}

const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
