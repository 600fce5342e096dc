/**
 * When the process cannot keep up, it says so at once to whoever begins something, instead of keeping everybody waiting. What
 * was begun goes on: paying, entering, waiting in line; and so does what costs next to nothing, such as an event's page.
 */
import type { FastifyInstance } from 'fastify';
import { tooBusy } from '#contract/sentences.ts';
import { unavailable } from '#server/refusal.ts';

/** How late the process is with what was due. */
export interface Lateness {
  isLate(): boolean;
  stop(): void;
}

const GOES_ON = new RegExp(
  `^/(?:${[
    'livez|readyz|metrics|static/|sandbox/',
    // Who has paid, or holds tickets.
    'api/webhooks/|success|api/public/(?:checkout-session|held-checkout|leave-held-checkout)',
    // Who stands in line, in front of the sale or of the door.
    'api/public/checkGuest|api/public/attendantCode|scanner',
    // What everyone looks at: made once for all, and then served from memory.
    'payment/[\\w-]{16}(?:[/?]|$)|api/public/event/[\\w-]{16}(?:[/?]|$)',
  ].join('|')})`,
);

const RETRY_SECONDS = 3;

export function shedLoad(app: FastifyInstance, { isLate, stop }: Lateness = watchLateness()): void {
  app.addHook('onRequest', async ({ url }) => {
    if (isLate() && !GOES_ON.test(url)) throw unavailable(tooBusy, RETRY_SECONDS);
  });
  app.addHook('onClose', async () => stop());
}

const TICK_MS = 100;
const LATE_MS = 500;

/** Late twice in a row: once may be the machine's doing, or the collector's. */
export function watchLateness(): Lateness {
  let due = performance.now() + TICK_MS;
  let timesLate = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    timesLate = now - due > LATE_MS ? timesLate + 1 : 0;
    due = now + TICK_MS;
  }, TICK_MS).unref();
  return { isLate: () => timesLate > 1, stop: () => clearInterval(timer) };
}
