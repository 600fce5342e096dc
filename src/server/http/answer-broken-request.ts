/** Answers what is not even HTTP, or whose address and headers cannot be read or are too long, before any route sees it. */
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { bodyTooLarge, requestTooSlow, unreadableBody } from '#contract/sentences.ts';

type Headers = Readonly<Record<string, string>>;

/** @param headers what every answer carries */
export function answerBrokenRequest(headers: Headers) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // The other side has gone: there is nobody to answer.
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();

    const [status, msg] = WHY[error.code ?? ''] ?? BROKEN;
    endWith(socket, { status, msg, headers });
  };
}

const BROKEN = ['400 Bad Request', unreadableBody] as const;
const WHY: Readonly<Record<string, readonly [status: string, msg: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', bodyTooLarge],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', requestTooSlow],
};

interface LastAnswer {
  status: string;
  msg: string;
  headers: Headers;
}

/** Whoever is told so does not get to stay until they have read it. */
export function endWith(socket: Socket, { status, msg, headers }: LastAnswer): void {
  if (socket.destroyed) return;
  const body = JSON.stringify({ msg });
  const own = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries({ ...headers, ...own }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}

/** For the router: it would repeat an address like `/%zz` as it came, and no hook has set the headers yet. */
export function answerBrokenAddress(headers: Headers) {
  const all = { ...headers, 'cache-control': 'no-store' };
  return (_error: Error, _request: unknown, reply: FastifyReply) =>
    void reply.code(400).headers(all).send({ msg: unreadableBody });
}
