/** Answers what is not even HTTP, or whose address and headers cannot be read or are too long, before any route sees it. */
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { bodyTooLarge, requestTooSlow, unreadableBody } from '#contract/sentences.ts';
import { headersOfAll } from './headers.ts';

export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // The other side has gone: there is nobody to answer.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();

  if (error.code === 'HPE_HEADER_OVERFLOW') return endWith(socket, '431 Request Header Fields Too Large', bodyTooLarge);
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return endWith(socket, '408 Request Timeout', requestTooSlow);
  endWith(socket, '400 Bad Request', unreadableBody);
}

/** Whoever is told so does not get to stay until they have read it. */
export function endWith(socket: Socket, status: string, msg: string): void {
  if (socket.destroyed) return;
  const body = JSON.stringify({ msg });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/** For the router: it would repeat an address like `/%zz` as it came, and no hook has set the headers yet. */
export function answerBrokenAddress(publicUrl: string) {
  const headers = { ...headersOfAll(publicUrl), 'cache-control': 'no-store' };
  return (_error: Error, _request: unknown, reply: FastifyReply) =>
    void reply.code(400).headers(headers).send({ msg: unreadableBody });
}
