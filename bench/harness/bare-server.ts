/** A bare node:http server with one constant answer: the fastest way for JavaScript to send these bytes. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Part } from './children.ts';
import type { BareAnswer } from './start-bare-server.ts';

export async function start({ status, headers, body }: BareAnswer): Promise<Part<string>> {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => {
    response.writeHead(status, headers);
    response.end(bytes);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ready: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
