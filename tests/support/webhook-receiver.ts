/** A program on this machine that webhooks call. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { createWebhookEndpoint } from '#contract/app/programs/webhooks.ts';
import { type DeliveredType, type WebhookType, webhookTypes } from '#domain/accounts/webhooks.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

export interface Received {
  id: string;
  type: DeliveredType;
  timestamp: string;
  data: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  body: string;
}

interface ReceiverAnswer {
  status: number;
  location?: string;
  body?: string;
}

export async function startReceiver(answer: (received: Received) => ReceiverAnswer = () => ({ status: 200 })) {
  const received: Received[] = [];
  let gate: Promise<void> = Promise.resolve();
  let answers = answer;
  let delayMs = 0;
  const take = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await text(request);
    const { type, timestamp, data }: Pick<Received, 'type' | 'timestamp' | 'data'> = JSON.parse(body);
    const one = { id: String(request.headers['webhook-id']), type, timestamp, data, headers: request.headers, body };
    received.push(one);
    const { status, location, body: answered = '' } = answers(one);
    await gate;
    if (delayMs > 0) await setTimeout(delayMs);
    reply.writeHead(status, location === undefined ? {} : { location }).end(answered);
  };
  const server = createServer((request, reply) => void take(request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    /** In the order of arrival, with repeated ones. */
    received,
    answerWith(next: (received: Received) => ReceiverAnswer) {
      answers = next;
    },
    delayAnswers(milliseconds: number): void {
      delayMs = milliseconds;
    },
    /** Answers nothing until it is released. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

interface EndpointOptions {
  types?: readonly WebhookType[];
  onlyEventIds?: string[] | null;
}

export async function newWebhook(
  visitor: Visitor,
  { url }: Pick<Receiver, 'url'>,
  { types = webhookTypes, onlyEventIds = null }: EndpointOptions = {},
) {
  return expectOk(await visitor.call(createWebhookEndpoint, { url, types: [...types], onlyEventIds }));
}

/** Throws unless the secret signed it a moment ago. */
export function verify(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  });
}
