/** A buyer gives a ticket back, with its confirmation number and nothing else. */
import { refundRefusals } from '#contract/refunds.ts';
import { refundObstacle } from '#domain/settlement.ts';
import { type Db, inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/jobs.sql.ts';
import { newId } from '#server/new-id.ts';
import { isPaidOut } from '#server/payouts/is-paid-out.ts';
import { ProviderRefused, ProviderUnreachable } from '#server/ports/provider-error.ts';
import { conflict, notFound } from '#server/refusal.ts';
import { spendTry } from '#server/spend-try.ts';
import { insertRefunds, lockEventForRefund, lockTicket, type RefundRef, setTicketsState } from './refunds.sql.ts';
import { type RefundOutcome, sendRefund } from './send-refund.ts';

interface RefundRequest {
  eventId: string;
  confirmationCode: string;
  ip: string;
}

type RefundDeps = Pick<Deps, 'db' | 'cards' | 'tries' | 'log'>;

/** Long enough for the call below to have its answer; after a crash or an outage the job takes over. */
const JOB_AFTER_SECONDS = 60;

export async function requestRefund(deps: RefundDeps, request: RefundRequest): Promise<void> {
  const claim = await inTransaction(deps.db, (tx) => claimRefund(tx, request));
  if (claim === 'unknown') return refuseUnknown(deps, request);
  if (claim === 'under-way') return;

  // Outside the transaction: a slow card company must not hold the ticket's row.
  const outcome = await sendNow(deps, claim);
  if (outcome === 'disputed') throw conflict(refundRefusals.disputed);
  if (outcome === 'refused') throw conflict(refundRefusals['not-accepted']);
}

async function claimRefund(
  tx: Db,
  { eventId, confirmationCode }: RefundRequest,
): Promise<RefundRef | 'unknown' | 'under-way'> {
  const event = await lockEventForRefund(tx, eventId);
  const ticket = event && (await lockTicket(tx, eventId, confirmationCode));
  if (!ticket) return 'unknown';
  // A cancelled event refunds everyone by itself, whoever asks and whoever was already in.
  if (event.cancelledAt && ticket.state !== 'void') return 'under-way';

  const obstacle = refundObstacle({ state: ticket.state, eventEndsAt: event.latestEndsAt }, event.now);
  if (obstacle) throw conflict(refundRefusals[obstacle]);
  if (await isPaidOut({ db: tx }, eventId)) throw conflict(refundRefusals['window-closed']);

  const refundId = newId();
  const { id: ticketId, orderId, priceCents: cents } = ticket;
  await setTicketsState(tx, eventId, [ticketId], 'refunding');
  await insertRefunds(tx, [
    { eventId, id: refundId, orderId, ticketId, cents, reason: 'requested', createdAt: event.now },
  ]);
  await enqueue(tx, 'send-refund', { eventId, refundId }, { afterSeconds: JOB_AFTER_SECONDS });
  return { eventId, refundId };
}

/** Only wrong numbers are counted: whoever has a right one is served, however many others are guessing. */
async function refuseUnknown({ tries }: Pick<Deps, 'tries'>, { eventId, ip }: RefundRequest): Promise<never> {
  await spendTry(tries, 'refund-code', ip);
  await spendTry(tries, 'refund-code-event', eventId);
  throw notFound(refundRefusals['unknown-ticket']);
}

/** The refund is claimed by now, so an outage of the card company delays it and changes nothing for the buyer. */
async function sendNow(deps: RefundDeps, claim: RefundRef): Promise<RefundOutcome> {
  try {
    return await sendRefund(deps, claim);
  } catch (error) {
    if (!(error instanceof ProviderUnreachable || error instanceof ProviderRefused)) throw error;
    deps.log.warn({ err: error, ...claim }, 'a refund could not be sent yet');
    return 'done';
  }
}
