/**
 * Load shedding. An overloaded process answers 503 to new work at once instead of slowing everyone down. Ongoing work
 * (payment, check-in, the checkout queue) and cached pages are still served. See docs/decisions/0029.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

import { AppError } from '#server/platform/app-error.ts';
import { tallyShedRequest } from '#server/platform/metrics/tallies.ts';
import { bodyOf, isOfApi } from './answer-errors.ts';

/** Measures the event loop delay. */
export interface EventLoopDelay {
  delayMs(): number;
  stop(): void;
}

const NEVER_SHED = new RegExp(
  `^/(?:${[
    'livez|readyz|metrics|static/|sandbox/',
    // Buyers who have paid or reserved tickets.
    'api/webhooks/|success|order/|ticket/|checkout/',
    'api/public/(?:checkout-session|order\\b|ticket/|checkout-page|checkout-details|continue-checkout|send-order-code|confirm-free-order|email-my-tickets|resend-order)',
    'api/public/(?:queued-checkout|leave-queued-checkout|open-checkouts|release-checkout)',
    // Buyers in the checkout queue, and check-in.
    'api/v1/tickets/[^/]+/check_in\\b|api/public/(?:checkGuest|attendantCode|offline-list|sync-scans|undo-check-in|find-tickets|name-search|find-guests|check-in-found-guest|leave-door)|scanner|worker\\.js',
    // Event pages, which are served from the cache.
    'payment/[\\w-]{16}/?(?:\\?|$)|api/public/event/[\\w-]{16}(?:[/?]|$)',
  ].join('|')})`,
);
const CHECKOUT = /^\/api\/public\/create-checkout-session(?:\?|$)/;

/** A class of requests. Page views are shed before checkouts. */
interface Priority {
  name: 'browsing' | 'buying';
  /** Two delays of this length in a row deny every request of this class. */
  maxDelayMs: number;
  /** Minimum concurrency; more if they are served within `maxWaitMs`. */
  minLimit: number;
  maxWaitMs: number;
}

const BROWSING: Priority = { name: 'browsing', maxDelayMs: 500, minLimit: 128, maxWaitMs: 400 };
const BUYING: Priority = { name: 'buying', maxDelayMs: 700, minLimit: 128, maxWaitMs: 800 };

const RETRY_SECONDS = 3;

/** @param headers sent with every response */
export function shedLoad(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  lateness: EventLoopDelay = watchEventLoop(),
): void {
  const [browsing, buying] = [openGate(BROWSING), openGate(BUYING)];
  const timer = setInterval(() => [browsing, buying].forEach((gate) => gate.adjust()), ADJUST_MS).unref();
  const gateOf = (url: string) => (CHECKOUT.test(url) ? buying : NEVER_SHED.test(url) ? null : browsing);

  // Before Fastify, which costs several times as much as the denial itself: under overload, most responses are this one.
  const denial = denialWith(headers);
  answerBefore(app.server, (request, response) => {
    const { url = '' } = request;
    const isDenied = isShed(gateOf(url));
    if (isDenied) denial(url, response);
    return isDenied;
  });
  // Counted only once the body has arrived, so that slow senders occupy no slot.
  app.addHook('preHandler', (request, _reply, done) => {
    const gate = gateOf(request.url);
    if (isShed(gate)) return done(new AppError('server.busy', { retryAfterSeconds: RETRY_SECONDS }));
    gate?.enter(request.id);
    done();
  });
  // On completion rather than disconnect: after a disconnect, the work continues.
  app.addHook('onSend', (request, _reply, payload, done) => {
    gateOf(request.url)?.leave(request.id);
    done(null, payload);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    gateOf(request.url)?.leave(request.id);
    done();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    lateness.stop();
  });

  function isShed(gate: Gate | null): boolean {
    if (gate === null || (lateness.delayMs() <= gate.priority.maxDelayMs && !gate.isFull())) return false;
    tallyShedRequest(gate.priority.name);
    return true;
  }
}

function denialWith(headers: Readonly<Record<string, string>>) {
  const busy = new AppError('server.busy', { retryAfterSeconds: RETRY_SECONDS });
  const appBody = Buffer.from(JSON.stringify(busy.body));
  const defaults = {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': String(RETRY_SECONDS),
    'cache-control': 'no-store',
  };
  const lines = Object.entries({ ...headers, ...defaults }).flat();
  return (url: string, response: ServerResponse): void => {
    const id = crypto.randomUUID();
    const body = isOfApi({ url }) ? Buffer.from(JSON.stringify(bodyOf(busy, { url, id }))) : appBody;
    response.writeHead(503, [...lines, 'content-length', String(body.length), 'x-request-id', id]).end(body);
  };
}

/** Puts a handler in front of the existing request listeners. */
function answerBefore(server: Server, isAnswered: (request: IncomingMessage, response: ServerResponse) => boolean) {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isAnswered(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}

interface Gate {
  priority: Priority;
  isFull(): boolean;
  enter(id: string): void;
  leave(id: string): void;
  /** Adjusts the limit to the current throughput. */
  adjust(): void;
}

const ADJUST_MS = 250;

/** Limits concurrency to what the current throughput serves within `maxWaitMs`. */
function openGate(priority: Priority): Gate {
  const active = new Set<string>();
  let served = 0;
  let servedBefore = 0;
  let limit = priority.minLimit;
  return {
    priority,
    isFull: () => active.size >= limit,
    enter: (id) => void active.add(id),
    leave(id) {
      if (active.delete(id)) served++;
    },
    adjust() {
      // Averaged over two intervals, so that one garbage collection pause does not shrink the limit.
      limit = Math.max(priority.minLimit, ((served + servedBefore) / (2 * ADJUST_MS)) * priority.maxWaitMs);
      servedBefore = served;
      served = 0;
    },
  };
}

const TICK_MS = 100;

/** The smaller of the last two delays, to ignore a single pause of the machine or the garbage collector. */
export function watchEventLoop(): EventLoopDelay {
  let expectedAt = performance.now() + TICK_MS;
  let delays: [number, number] = [0, 0];
  const timer = setInterval(() => {
    const now = performance.now();
    delays = [delays[1], now - expectedAt];
    expectedAt = now + TICK_MS;
  }, TICK_MS).unref();
  return { delayMs: () => Math.min(...delays), stop: () => clearInterval(timer) };
}
