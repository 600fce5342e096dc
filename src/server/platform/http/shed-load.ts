/**
 * When the process cannot keep up, it says so at once to whoever begins something, instead of keeping everybody waiting. What
 * was begun goes on: paying, entering, waiting in line; and so does what costs next to nothing, such as an event's page.
 * Source: docs/decisions/0029.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { tooBusy } from '#contract/sentences.ts';
import { unavailable } from '#server/platform/app-error.ts';

/** How late the process is with what was due. */
export interface Lateness {
  lateMs(): number;
  stop(): void;
}

const GOES_ON = new RegExp(
  `^/(?:${[
    'livez|readyz|metrics|static/|sandbox/',
    // Who has paid, or holds tickets.
    'api/webhooks/|success|api/public/(?:checkout-session|held-checkout|leave-held-checkout)',
    // Who stands in line, in front of the sale or of the door.
    'api/public/(?:checkGuest|attendantCode|door-list|hand-in-scans|take-back-scan|find-tickets|leave-door)|scanner|worker\\.js',
    // What everyone looks at: made once for all, and then served from memory.
    'payment/[\\w-]{16}(?:[/?]|$)|api/public/event/[\\w-]{16}(?:[/?]|$)',
  ].join('|')})`,
);
const BUYS = /^\/api\/public\/create-checkout-session(?:\?|$)/;

/** What is refused first comes first. Whoever wants to buy is refused after those who look around. */
interface Rank {
  /** So late twice in a row, and nobody of this rank is let in. */
  lateMs: number;
  /** So many are let in at once, or as many as are served in this time, if that is more. */
  atOnce: number;
  worthMs: number;
}

const SAMPLES: Rank = { lateMs: 500, atOnce: 128, worthMs: 400 };
const BEGINS: Rank = { lateMs: 700, atOnce: 128, worthMs: 800 };

const RETRY_SECONDS = 3;

/** @param headers what every answer carries */
export function shedLoad(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  lateness: Lateness = watchLateness(),
): void {
  const [looking, buying] = [openGate(SAMPLES), openGate(BEGINS)];
  const turning = setInterval(() => [looking, buying].forEach((gate) => gate.turn()), TURN_MS).unref();
  const gateOf = (url: string) => (BUYS.test(url) ? buying : GOES_ON.test(url) ? null : looking);

  // Before the framework, whose ways cost several times what a refusal does: in a rush most of all answers are this one.
  const refusal = refusalWith(headers);
  answerBefore(app.server, (request, response) => {
    const isRefused = isClosed(gateOf(request.url ?? ''));
    if (isRefused) response.writeHead(503, [...refusal.headers, 'x-request-id', crypto.randomUUID()]).end(refusal.body);
    return isRefused;
  });
  // And again when the body is there, since whoever sends it slowly keeps nobody else out.
  app.addHook('preHandler', async (request) => {
    const gate = gateOf(request.url);
    if (isClosed(gate)) throw unavailable(tooBusy, RETRY_SECONDS);
    gate?.enter(request.id);
  });
  // When it is done with, not when it was heard: whoever breaks off leaves the work behind.
  app.addHook('onSend', async (request) => gateOf(request.url)?.leave(request.id));
  app.addHook('onResponse', async (request) => gateOf(request.url)?.leave(request.id));
  app.addHook('onClose', async () => {
    clearInterval(turning);
    lateness.stop();
  });

  function isClosed(gate: Gate | null): boolean {
    return gate !== null && (lateness.lateMs() > gate.rank.lateMs || gate.isFull());
  }
}

function refusalWith(headers: Readonly<Record<string, string>>) {
  const body = Buffer.from(JSON.stringify({ msg: tooBusy }));
  const own = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    'retry-after': String(RETRY_SECONDS),
    'cache-control': 'no-store',
  };
  return { headers: Object.entries({ ...headers, ...own }).flat(), body };
}

/** What is not answered here goes on to whoever listened until now. */
function answerBefore(server: Server, isAnswered: (request: IncomingMessage, response: ServerResponse) => boolean) {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isAnswered(request, response)) return;
    for (const other of others) other.call(server, request, response);
  });
}

interface Gate {
  rank: Rank;
  isFull(): boolean;
  enter(id: string): void;
  leave(id: string): void;
  /** Looks at how fast they have been served. */
  turn(): void;
}

const TURN_MS = 250;

/** Those inside wait for no longer than `worthMs`, however fast or slow the machine is. */
function openGate(rank: Rank): Gate {
  const inside = new Set<string>();
  let served = 0;
  let servedBefore = 0;
  let atOnce = rank.atOnce;
  return {
    rank,
    isFull: () => inside.size >= atOnce,
    enter: (id) => void inside.add(id),
    leave(id) {
      if (inside.delete(id)) served++;
    },
    turn() {
      // Over two turns, so that a pause of the collector is no collapse.
      atOnce = Math.max(rank.atOnce, ((served + servedBefore) / (2 * TURN_MS)) * rank.worthMs);
      servedBefore = served;
      served = 0;
    },
  };
}

const TICK_MS = 100;

/** The lesser of the last two: once may be the machine's doing, or the collector's. */
export function watchLateness(): Lateness {
  let due = performance.now() + TICK_MS;
  let late: [number, number] = [0, 0];
  const timer = setInterval(() => {
    const now = performance.now();
    late = [late[1], now - due];
    due = now + TICK_MS;
  }, TICK_MS).unref();
  return { lateMs: () => Math.min(...late), stop: () => clearInterval(timer) };
}
