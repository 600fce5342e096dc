/** People who reach either server over HTTP. Records each request with its response. */
import { checkGuest } from '#contract/app/check-in.ts';
import { syncScans, undoCheckIn } from '#contract/app/check-in-devices.ts';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { confirmFreeOrder, sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { type Answer, Visitor } from '#tests/support/http-visitor.ts';
import { asSynced, type Client, type History, type Outcome } from '../histories/history.ts';
import type { Actors, TwoServers } from './open-two-servers.ts';

export type OperationKind =
  | 'checkout'
  | 'order-code'
  | 'proof'
  | 'confirmation'
  | 'scan'
  | 'sync'
  | 'undo'
  | 'refund'
  | 'payout'
  | 'cancel';

/** One request. */
export interface Operation {
  id: number;
  what: OperationKind;
  eventId: string;
  /** Ticket number, several numbers separated by spaces, or session id. */
  subject: string;
  server: number;
  startedAt: number;
  tookMs: number;
  /** 0 without a response. */
  status: number;
  retryAfter: string | null;
  is: Outcome<unknown>['is'];
  message: string;
}

/** Rejected under overload, with a message and a Retry-After. Check-in never is. */
export const wasOverloaded = ({ what, status, retryAfter }: Operation) =>
  what !== 'scan' && status === 503 && retryAfter !== null;

/** Longer than any timeout in the code. */
const TIMEOUT_MS = 40_000;

export function httpClient({ servers }: TwoServers, actors: ReadonlyMap<string, Actors>, done: Operation[]): Client {
  let asked = 0;

  async function ask<Body>(
    history: History,
    what: OperationKind,
    subject: string,
    call: (server: number, actors: Actors) => Promise<Answer<Body>>,
  ): Promise<Outcome<Body>> {
    const server = history.random.between(0, servers.length - 1);
    const who = actors.get(history.eventId);
    if (!who) throw new Error(`there are no actors for event ${history.eventId}`);
    asked += 1;
    const id = asked;
    const startedAt = Date.now();
    const answer = await inTime(call(server, who));
    const outcome = outcomeOf(answer);
    const message = answer instanceof Error ? answer.message : (answer.body.msg ?? '');
    done.push({
      id,
      what,
      eventId: history.eventId,
      subject,
      server,
      startedAt,
      tookMs: Date.now() - startedAt,
      status: answer instanceof Error ? 0 : answer.status,
      retryAfter: answer instanceof Error ? null : answer.headers.get('retry-after'),
      is: outcome.is,
      message,
    });
    history.log.push(`#${id} ${what} ${subject} at server ${server}: ${outcome.is} ${message.slice(0, 80)}`);
    if (outcome.is === 'broken') history.failures.push(`#${id} ${what} ${subject} at server ${server}: ${message}`);
    return outcome;
  }

  const anyone = (server: number) => new Visitor(servers[server]?.url ?? '');
  return {
    checkOut: (history, cartItems, promo) =>
      ask(history, 'checkout', JSON.stringify([...cartItems, promo]), (server) =>
        anyone(server).call(createCheckoutSession, { eventId: history.eventId, cartItems, ...promo }),
      ),
    sendCode: (history, typed) =>
      ask(history, 'order-code', typed.handle, (server) => anyone(server).call(sendOrderCode, typed)),
    prove: (history, shown) =>
      ask(history, 'proof', shown.handle, (server) => anyone(server).call(confirmFreeOrder, shown)),
    confirm: (history, sessionId) =>
      ask(history, 'confirmation', sessionId, (server) => anyone(server).call(checkoutSession, { sessionId })),
    scan: (history, number, device, scanId) =>
      ask(history, 'scan', number, (server, { devices }) =>
        known(devices[server]?.[device - 1]).call(checkGuest, {
          eventId: history.eventId,
          confirmationNumber: number,
          scanId,
        }),
      ),
    sync: (history, scans, device) =>
      ask(history, 'sync', scans.map(({ number }) => number).join(' '), (server, { devices }) =>
        known(devices[server]?.[device - 1]).call(syncScans, {
          eventId: history.eventId,
          scans: scans.map(asSynced),
        }),
      ),
    undo: (history, { scanId, number }, device) =>
      ask(history, 'undo', number, (server, { devices }) =>
        known(devices[server]?.[device - 1]).call(undoCheckIn, { eventId: history.eventId, scanId }),
      ),
    refund: (history, number) =>
      ask(history, 'refund', number, (server) =>
        anyone(server).call(requestRefund, { eventId: history.eventId, confirmationCode: number }),
      ),
    payOut: (history) =>
      ask(history, 'payout', '', (server, { organizers }) =>
        known(organizers[server]).call(requestPayout, { eventId: history.eventId }),
      ),
    cancel: (history) =>
      ask(history, 'cancel', '', (server, { organizers }) =>
        known(organizers[server]).call(cancelEvent, { eventId: history.eventId }),
      ),
  };
}

function known(visitor: Visitor | undefined): Visitor {
  if (!visitor) throw new Error('two servers and two devices are needed');
  return visitor;
}

class NoAnswer extends Error {}

async function inTime<T>(call: Promise<T>): Promise<T | Error> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(() => resolve(new NoAnswer(`no response within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([call, late]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** A denial must leave no trace; 503 and a broken connection leave the outcome open; 500 is a failure. */
function outcomeOf<Body>(answer: Answer<Body> | Error): Outcome<Body> {
  if (answer instanceof NoAnswer) return { is: 'broken' };
  if (answer instanceof Error) return { is: 'unknown' };
  const { status, body, headers } = answer;
  if (status === 200) return { is: 'done', value: body };
  if (status === 503) return headers.has('retry-after') ? { is: 'unknown' } : { is: 'broken' };
  if (status >= 400 && status < 500) return { is: 'refused', why: body.msg ?? '' };
  return { is: 'broken' };
}
