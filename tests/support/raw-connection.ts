/** A connection on which the test writes every byte, beyond what HTTP clients allow. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawConnection {
  socket: Socket;
  send(text: string): void;
  /** Everything received so far. */
  received(): string;
  /** Resolves to everything received, once the server has closed the connection. */
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

/** Sends one request, and resolves to everything received until the server closes the connection. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const connection = await openRaw(url);
  connection.send(text);
  return connection.ended;
}

export const statusesIn = (answers: string): number[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
