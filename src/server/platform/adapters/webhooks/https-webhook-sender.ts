/** Signs and sends webhooks as Standard Webhooks says. Follows no redirect. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { SendProblem, WebhookMessage, WebhookSender } from '#server/platform/ports/webhook-sender.ts';
import {
  allowedAddresses,
  hostOf,
  type Resolve,
  type ResolvedAddress,
  readWebhookUrl,
  resolverOf,
} from './webhook-address.ts';

export interface SenderOptions {
  /** For development and tests: receivers on this machine, over http too, on any port. */
  allowsLoopback?: boolean;
  resolve?: Resolve;
  /** Until the whole answer is there. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;

export function httpsWebhookSender({
  allowsLoopback = false,
  resolve = resolverOf(),
  timeoutMs = TIMEOUT_MS,
}: SenderOptions = {}): WebhookSender {
  const rules = { allowsLoopback, resolve };
  return {
    async isAllowed(text) {
      const url = readWebhookUrl(text, rules);
      if (!url) return false;
      const signal = AbortSignal.timeout(timeoutMs);
      const addresses = Promise.race([allowedAddresses(hostOf(url), rules), aborted(signal)]);
      return (await addresses.catch(() => null)) !== null;
    },

    async send(message) {
      const startedAt = performance.now();
      const ms = () => Math.round(performance.now() - startedAt);
      const signal = AbortSignal.timeout(timeoutMs);
      const failedWith = (problem: SendProblem) => ({ ms: ms(), status: null, problem });
      const url = readWebhookUrl(message.url, rules);
      if (!url) return failedWith('refused');
      try {
        const addresses = await Promise.race([allowedAddresses(hostOf(url), rules), aborted(signal)]);
        if (!addresses) return failedWith('refused');
        return { status: await post(url, addresses, message, signal), ms: ms(), problem: null };
      } catch {
        return failedWith(signal.aborted ? 'silent' : 'unreachable');
      }
    },
  };
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Connects to one of these addresses, whatever the name resolves to meanwhile. Resolves to the status once the answer has ended. */
function post(
  url: URL,
  addresses: readonly ResolvedAddress[],
  message: WebhookMessage,
  signal: AbortSignal,
): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: headersOf(message), lookup: lookupIn(addresses), agent: false, signal },
      (answer) => {
        const done = () => resolve(answer.statusCode ?? 0);
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= ANSWER_BYTES_MAX) return;
          done();
          sent.destroy();
        });
        answer.on('end', done);
        answer.on('error', reject);
      },
    );
    // Node answers neither of these with a response: a receiver that changes the protocol, and one that hangs up after it did.
    sent.on('upgrade', (answer, socket) => {
      resolve(answer.statusCode ?? 0);
      socket.destroy();
    });
    sent.on('close', () => reject(new Error('closed without an answer')));
    sent.on('error', reject);
    sent.end(message.body);
  });
}

function lookupIn(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_name, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else if (first) done(null, first.address, first.family);
  };
}

function headersOf({ id, body, secrets }: WebhookMessage) {
  // Receivers compare it with their clocks, so it is no business time.
  const at = new Date();
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Handstamp-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': Math.floor(at.getTime() / 1000),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
