/** A connection whose every byte the test writes: what no HTTP client would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawConnection {
  socket: Socket;
  send(text: string): void;
  /** All that was answered until now. */
  received(): string;
  /** Resolves to all that was answered, once the server has ended the connection. */
  ended: Promise<string>;
  leave(): void;
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  return {
    socket,
    send: (text) => void socket.write(text, 'latin1'),
    received: () => received,
    ended: closed,
    leave: () => socket.destroy(),
  };
}

/** Sends one request, and resolves to everything that the server answered until it ended the connection. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const connection = await openRaw(url);
  connection.send(text);
  return connection.ended;
}

export const statusesIn = (answers: string): number[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
