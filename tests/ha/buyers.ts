/** Buyers who arrive steadily. Each opens the event, checks out, pays, and reads the tickets. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutSession, createCheckoutSession, queuedCheckout } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { newId } from '#server/platform/ids.ts';
import { Visitor } from '#tests/support/http-visitor.ts';
import { generalAdmission, pay } from '#tests/support/people.ts';
import { type Calls, countCalls } from './count-calls.ts';

const UNPAID = new Set(['unpaid', 'processing']);
const POLL_MS = 250;
const RETRY_MS = 1_000;
const PATIENCE_MS = 120_000;

export interface Order {
  sessionId: string;
  email: string;
  confirmationNumbers: string[];
}

export interface Buyers {
  calls: Calls;
  /** Failures that don't say when to come back. */
  unexplained: string[];
  /** When the first buyer came, each checkout succeeded, and the last buyer came, in milliseconds since 1970. */
  checkouts: number[];
  /** Orders whose buyers have seen their tickets. */
  completed: Order[];
  /** Patient buyers who left without tickets. */
  lost: number;
  /** No further buyer arrives; resolves when those on their way are done. */
  stop(): Promise<void>;
}

interface Options {
  perSecond: number;
  /** Repeats what failed, as often as the answer asks for. */
  isPatient?: boolean;
}

let arrived = 0;

export function sendBuyers(origin: string, eventId: string, { perSecond, isPatient = false }: Options): Buyers {
  const calls = countCalls();
  const underway = new Set<Promise<void>>();
  const buyers: Buyers = {
    calls,
    unexplained: [],
    checkouts: [Date.now()],
    completed: [],
    lost: 0,
    async stop() {
      clearInterval(timer);
      const last = Date.now();
      await Promise.all(underway);
      buyers.checkouts = [...buyers.checkouts.filter((time) => time < last), last];
    },
  };
  const timer = setInterval(() => {
    const buying = buy(++arrived).finally(() => underway.delete(buying));
    underway.add(buying);
  }, 1000 / perSecond);
  return buyers;

  async function buy(buyer: number): Promise<void> {
    const email = `buyer-${buyer}@example.com`;
    const deadline = Date.now() + (isPatient ? PATIENCE_MS : 0);
    const visitor = new Visitor(origin);
    const page = await seen('page', () => visitor.fetch(`/payment/${eventId}`), deadline);
    await page?.text();
    if (!page || !(await seen('event', () => visitor.call(publicEvent, { eventId }), deadline))) return;
    const cart = { eventId, cartId: newId(), cartItems: generalAdmission(1) };
    const checkout = await seen('checkout', () => visitor.call(createCheckoutSession, cart), deadline);
    let payment = checkout?.body;
    while (payment?.queue) {
      const { handle, askInSeconds } = payment.queue;
      await sleep(askInSeconds * 1000);
      payment = (await seen('queue', () => visitor.call(queuedCheckout, { handle }), deadline))?.body;
    }
    if (!payment) return;
    buyers.checkouts.push(Date.now());
    const { id: sessionId, url } = payment;
    const read = () => seen('session', () => visitor.call(checkoutSession, { sessionId }), deadline);
    let session: Awaited<ReturnType<typeof read>> = null;
    do {
      // The payment page may fail after the payment: the session tells.
      const paid = await seen('payment', () => pay(new Visitor(origin), url, email), 0);
      if (!paid && !isPatient) return;
      if (!paid) await sleep(RETRY_MS);
      session = await read();
      while (paid && session && UNPAID.has(session.body.status)) {
        await sleep(POLL_MS);
        session = await read();
      }
    } while (session && UNPAID.has(session.body.status) && Date.now() < deadline);
    if (!session) return;
    const confirmationNumbers = session.body.confirmationData.map(({ confirmationNumber }) => confirmationNumber);
    if (confirmationNumbers.length > 0) buyers.completed.push({ sessionId, email, confirmationNumbers });
    else buyers.lost++;
  }

  /** Null after a failure that is not to be repeated. */
  async function seen<A extends { status: number; headers: Headers }>(
    what: string,
    call: () => Promise<A>,
    deadline: number,
  ): Promise<A | null> {
    for (;;) {
      const tried = await calls.tried(what, call);
      if (!('failure' in tried)) return tried.answer;
      const { retryAfter, failure } = tried;
      // The payment page belongs to the sandbox.
      if (retryAfter === null && what !== 'payment') buyers.unexplained.push(failure);
      if (Date.now() > deadline) {
        if (deadline > 0 && isPatient) buyers.lost++;
        return null;
      }
      await sleep(retryAfter === null ? RETRY_MS : Number(retryAfter) * 1000);
    }
  }
}
