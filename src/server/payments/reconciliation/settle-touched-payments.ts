/** Finds refunds and disputes that we have not got, or not in the state that the card company has them in. */
import type { Deps } from '#server/platform/deps.ts';
import type { TouchedPayment } from '#server/platform/ports/balance-transactions.ts';
import { inPages } from './in-pages.ts';
import { type Poll, recordPolls, worthALook } from './polls.sql.ts';
import { disputesOfPayments, refundsOfPayments } from './reconciliation.sql.ts';
import { trySettlePayment } from './settle-payment.ts';

const PAGE = 100;
/** Each look costs several calls to the card company. */
const POLLED_MAX = 500;

type TouchedDeps = Parameters<typeof trySettlePayment>[0] & Pick<Deps, 'books'>;

/** @returns whether all were looked into; the next run, from the same moment on, goes on with the rest */
export async function settleTouchedPayments(
  deps: TouchedDeps,
  since: Date,
  looksAtMost = POLLED_MAX,
): Promise<boolean> {
  const count = { looks: 0, settled: 0 };
  for await (const page of inPages(deps.books.touchedPayments(since), PAGE)) {
    for (const [paymentId, looks] of await newsOf(deps, page)) {
      if (count.looks === looksAtMost) {
        deps.log.warn(count, 'the next run goes on with the payments');
        return false;
      }
      count.looks += 1;
      if (await trySettlePayment(deps, paymentId)) count.settled += 1;
      // Also of what stays as it is, such as refunds of another program on the same account.
      await recordPolls(deps.db, looks);
    }
  }
  return true;
}

/** What is worth a look, by payment: one look at a payment tells all about it. */
async function newsOf({ db }: TouchedDeps, page: readonly TouchedPayment[]): Promise<Map<string, Poll[]>> {
  const paymentIds = page.map(({ paymentId }) => paymentId);
  const known = {
    refunds: await refundsOfPayments(db, paymentIds),
    disputes: await disputesOfPayments(db, paymentIds),
  };
  const unknown = page.filter((touched) => !isKnown(touched, known));
  const looks = unknown.map((touched) => ({ paymentId: touched.paymentId, ...pollOf(touched) }));
  return Map.groupBy(await worthALook(db, looks), ({ paymentId }) => paymentId);
}

function pollOf(touched: TouchedPayment): Poll {
  if ('dispute' in touched) return { subject: touched.dispute.providerDisputeId, seen: touched.dispute.state };
  const { providerRefundId, state, hasMoved } = touched.refund;
  return { subject: providerRefundId, seen: hasMoved ? `${state}, moved` : state };
}

interface Known {
  refunds: Awaited<ReturnType<typeof refundsOfPayments>>;
  disputes: Awaited<ReturnType<typeof disputesOfPayments>>;
}

function isKnown(touched: TouchedPayment, { refunds, disputes }: Known): boolean {
  if ('dispute' in touched) {
    const { providerDisputeId, state } = touched.dispute;
    return disputes.some((row) => row.providerDisputeId === providerDisputeId && row.state === state);
  }
  const { providerRefundId, state, hasMoved } = touched.refund;
  const ours = refunds.find((row) => row.providerRefundId === providerRefundId);
  // What had failed before anyone looked has moved nothing, and is not written down.
  if (state === 'failed') return ours?.state !== 'sent';
  return (
    ours !== undefined && (ours.state !== 'sent' || (ours.isMoved === hasMoved && ours.isSettled === isDone(state)))
  );
}

const isDone = (state: string) => state === 'succeeded';
