/** Answers what is not even HTTP, or whose address and headers are too long, before any route sees it. */
import type { Socket } from 'node:net';
import { bodyTooLarge, unreadableBody } from '#contract/sentences.ts';

export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // The other side has gone: there is nobody to answer.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();

  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const status = isTooLong ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify({ msg: isTooLong ? bodyTooLarge : unreadableBody });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
