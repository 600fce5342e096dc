/** Settles payments whose refunds or disputes are missing here or have another state at Stripe, and asks for the outcome of open disputes. */
import type { Deps } from '#server/platform/deps.ts';
import type { TouchedPayment } from '#server/platform/ports/balance-transactions.ts';
import { inPages } from './in-pages.ts';
import { type Poll, pollsDue, recordPolls } from './polls.sql.ts';
import { disputesOfPayments, openDisputes, refundsOfPayments } from './reconciliation.sql.ts';
import { trySettlePayment } from './settle-payment.ts';

const PAGE_SIZE = 100;
/** Reading a payment costs several calls to Stripe. */
const POLLED_MAX = 500;

type TouchedDeps = Parameters<typeof trySettlePayment>[0] & Pick<Deps, 'balanceTransactions'>;

/** @returns whether all payments were processed; the next run continues with the rest */
export async function settleChangedPayments(deps: TouchedDeps, since: Date, maxPolls = POLLED_MAX): Promise<boolean> {
  const count = { polls: 0, settled: 0 };
  for await (const [paymentId, polls] of duePayments(deps, since)) {
    if (count.polls === maxPolls) {
      deps.log.warn(count, 'reached the limit; the next run continues with the payments');
      return false;
    }
    count.polls += 1;
    if (await trySettlePayment(deps, paymentId)) count.settled += 1;
    // Recorded even if nothing was settled, so refunds of another application on the account back off.
    await recordPolls(deps.db, polls);
  }
  return true;
}

async function* duePayments(deps: TouchedDeps, since: Date): AsyncGenerator<[paymentId: string, polls: Poll[]]> {
  for await (const page of inPages(deps.balanceTransactions.touchedPayments(since), PAGE_SIZE))
    yield* await duePolls(deps, page);
  // Stripe lists disputes by when they began. Banks take months to decide, and a loss moves no money.
  yield* byPayment(await pollsDue(deps.db, await openDisputes(deps.db)));
}

/** Grouped by payment, because one read covers all of its refunds and disputes. */
async function duePolls({ db }: TouchedDeps, page: readonly TouchedPayment[]): Promise<Map<string, PaymentPoll[]>> {
  const paymentIds = page.map(({ paymentId }) => paymentId);
  const known = {
    refunds: await refundsOfPayments(db, paymentIds),
    disputes: await disputesOfPayments(db, paymentIds),
  };
  const unknown = page.filter((touched) => !isKnown(touched, known));
  const polls = unknown.map((touched) => ({ paymentId: touched.paymentId, ...pollOf(touched) }));
  return byPayment(await pollsDue(db, polls));
}

type PaymentPoll = Poll & { paymentId: string };

const byPayment = (polls: readonly PaymentPoll[]) => Map.groupBy(polls, ({ paymentId }) => paymentId);

function pollOf(touched: TouchedPayment): Poll {
  if ('dispute' in touched) return { subject: touched.dispute.stripeDisputeId, seen: touched.dispute.state };
  const { stripeRefundId, state, hasMoved } = touched.refund;
  return { subject: stripeRefundId, seen: hasMoved ? `${state}, moved` : state };
}

interface Known {
  refunds: Awaited<ReturnType<typeof refundsOfPayments>>;
  disputes: Awaited<ReturnType<typeof disputesOfPayments>>;
}

function isKnown(touched: TouchedPayment, { refunds, disputes }: Known): boolean {
  if ('dispute' in touched) {
    const { stripeDisputeId, state } = touched.dispute;
    return disputes.some((row) => row.stripeDisputeId === stripeDisputeId && row.state === state);
  }
  const { stripeRefundId, state, hasMoved } = touched.refund;
  const ours = refunds.find((row) => row.stripeRefundId === stripeRefundId);
  // A refund that failed before we saw it moved no money and is never recorded.
  if (state === 'failed') return ours?.state !== 'sent';
  return (
    ours !== undefined && (ours.state !== 'sent' || (ours.isMoved === hasMoved && ours.isSettled === isDone(state)))
  );
}

const isDone = (state: string) => state === 'succeeded';
