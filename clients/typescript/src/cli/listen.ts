/** `handstamp webhooks listen`: an endpoint for as long as the command runs, whose webhooks are shown as they come. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Handstamp, HandstampError, type Resource } from '../client.ts';
import { verifyWebhook } from '../webhooks.ts';
import { UsageError } from './exit-codes.ts';
import { printable } from './formats.ts';
import type { Output } from './output.ts';

type WebhookType = Resource<'WebhookEndpoint'>['types'][number];

const eventTypes: readonly WebhookType[] = ['event.published', 'event.updated', 'event.cancelled'];
/** A key needs `orders:read` for them. */
const orderTypes: readonly WebhookType[] = [
  'order.paid',
  'order.unfulfillable',
  'refund.sent',
  'ticket.checked_in',
  'ticket.check_in_undone',
  'ticket.transferred',
];

export interface Listening {
  /** On this machine. */
  port: number;
  /** Where the installation reaches that port. */
  url: string | undefined;
  types: string[] | undefined;
  event: string | undefined;
  /** Gets each webhook as it came. */
  forwardTo: string | undefined;
  json: boolean;
  /** Ends the command. */
  until: AbortSignal;
}

export async function listen(handstamp: Handstamp, output: Output, asked: Listening): Promise<void> {
  if (asked.forwardTo !== undefined && !URL.canParse(asked.forwardTo))
    throw new UsageError(`${asked.forwardTo} is not an address`);
  const { key } = await handstamp.get('/organization');
  const types = asked.types ?? [...eventTypes, ...(key.scopes.includes('orders:read') ? orderTypes : [])];

  let secret: string | null = null;
  const failed = Promise.withResolvers<never>();
  const server = createServer((request, response) => {
    if (secret === null) return void response.writeHead(503).end();
    receive(request, response, { secret, output, asked }).catch(failed.reject);
  });
  const port = await startOn(server, asked.port);
  try {
    const endpoint = await handstamp
      .post('/webhook_endpoints', {
        url: asked.url ?? `http://127.0.0.1:${port}/`,
        types: types as WebhookType[],
        event_ids: asked.event === undefined ? null : [asked.event],
      })
      .catch((error: unknown) => {
        const isOutOfReach =
          asked.url === undefined && error instanceof HandstampError && error.code === 'webhook.url-refused';
        throw isOutOfReach ? new UsageError(outOfReach(port)) : error;
      });
    secret = endpoint.secret;
    output.note(`Listening on port ${port} for ${types.join(', ')}. Press Ctrl+C to end.`);
    if (asked.forwardTo !== undefined) output.note(`${asked.forwardTo} verifies with ${secret}`);
    try {
      await Promise.race([failed.promise, ended(asked.until)]);
    } finally {
      await handstamp.delete('/webhook_endpoints/{endpoint_id}', { endpoint_id: endpoint.id });
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const outOfReach = (port: number) =>
  `The installation doesn't call this machine. Add --url with an https address that leads to port ${port}, such as that of a tunnel.`;

const BODY_BYTES_MAX = 1_000_000;

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { secret, output, asked }: { secret: string; output: Output; asked: Listening },
): Promise<void> {
  const body = await bodyOf(request);
  if (body === null) return void response.writeHead(413, { connection: 'close' }).end();
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-') || name === 'content-type'),
  ) as Record<string, string>;
  let webhook: unknown;
  try {
    webhook = verifyWebhook(body, headers, secret);
  } catch (error) {
    output.note(`Refused a request: ${error instanceof Error ? error.message : String(error)}`);
    return void response.writeHead(400).end();
  }
  const status = asked.forwardTo === undefined ? 204 : await forward(asked.forwardTo, body, headers);
  response.writeHead(status).end();
  const id = headers['webhook-id'] ?? '';
  const answer = asked.forwardTo === undefined ? '' : `  ${status}`;
  const line = asked.json ? JSON.stringify({ id, ...(webhook as object) }) : `${lineOf(webhook)}${answer}`;
  await output.write(`${line}\n`);
}

/** Null if it is too long, or ends too early. A tunnel may send it in pieces, without its length. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > BODY_BYTES_MAX) return null;
      pieces.push(piece);
    }
  } catch {
    return null;
  }
  return Buffer.concat(pieces).toString();
}

/** What the program answered, so that the installation sends it again after a failure. */
async function forward(url: string, body: string, headers: Record<string, string>): Promise<number> {
  try {
    const init = { method: 'POST', body, headers, redirect: 'manual', signal: AbortSignal.timeout(5_000) } as const;
    return (await fetch(url, init)).status;
  } catch {
    return 502;
  }
}

const TYPE_WIDTH = Math.max(...[...eventTypes, ...orderTypes].map(({ length }) => length));

function lineOf(webhook: unknown): string {
  const { timestamp, type, data } = webhook as { timestamp: string; type: string; data: { id?: string } };
  return printable(`${timestamp}  ${type.padEnd(TYPE_WIDTH)}  ${data.id ?? ''}`.trimEnd());
}

async function startOn(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
