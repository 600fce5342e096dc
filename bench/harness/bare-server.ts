/** A bare node:http server that knows one answer: the fastest that JavaScript sends these bytes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { given, standBy } from './children.ts';
import type { BareAnswer } from './start-bare-server.ts';

const { status, headers, body } = given<BareAnswer>();
const bytes = Buffer.from(body, 'base64');

const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  standBy(`http://127.0.0.1:${port}`, async () => server.closeAllConnections());
});
