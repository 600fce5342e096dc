/**
 * Compares our ledger with Stripe's balance transactions, for each payment and transfer and in total. A mismatch opens
 * a discrepancy for the operator. It never moves money.
 */
import { type DiscrepancyKind } from '#domain/discrepancy.ts';
import {
  type Discrepancy,
  openDiscrepancy,
  resolveDiscrepancies,
} from '#server/payments/discrepancies/discrepancies.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { type Poll, pollsDue, recordPolls } from './polls.sql.ts';
import { type Comparison, compareBalances, totalDiscrepancyCents, touchedSince } from './reconciliation.sql.ts';
import { trySettlePayment } from './settle-payment.ts';

const PAGE_SIZE = 500;
/** Reading a payment costs several calls to Stripe. Later runs read the remaining payments. */
const POLLED_MAX = 200;
const FRESH_MINUTES = 15;

/** Subject of the discrepancy over all movements. */
const TOTAL = 'all movements';

type CompareDeps = Parameters<typeof trySettlePayment>[0];

export async function compareMovements(deps: CompareDeps, since: Date, maxPolls = POLLED_MAX): Promise<void> {
  let pollsLeft = maxPolls;
  for await (const page of pagesOf(deps.db, since)) {
    const suspects = await suspectsIn(deps.db, page, pollsLeft);
    pollsLeft -= suspects.length;
    for (const { subject } of suspects) await trySettlePayment(deps, subject);
    await recordPolls(deps.db, suspects);
    await recordDiscrepancies(deps, suspects.length > 0 ? await compareBalances(deps.db, page.map(subjectOf)) : page);
  }
  await compareTotal(deps);
}

async function* pagesOf(db: Db, since: Date): AsyncGenerator<Comparison[]> {
  const touched = await touchedSince(db, since);
  for (let at = 0; at < touched.length; at += PAGE_SIZE) yield compareBalances(db, touched.slice(at, at + PAGE_SIZE));
}

/** A webhook may have been lost. Then reading the payment again resolves the mismatch. */
async function suspectsIn(db: Db, page: readonly Comparison[], limit: number): Promise<Poll[]> {
  const mismatched = page.filter((row) => kindOf(row) === 'payment');
  const polls = mismatched.map(({ subject, movedCents, bookedCents }) => ({
    subject,
    seen: `${movedCents} moved, ${bookedCents} booked`,
  }));
  return (await pollsDue(db, polls)).slice(0, limit);
}

const subjectOf = ({ subject }: Comparison) => subject;

function kindOf({ eventId, isTransfer, movedCents, bookedCents, isFresh }: Comparison): DiscrepancyKind | null {
  if (isFresh || movedCents === bookedCents) return null;
  if (eventId === null) return isTransfer ? 'unknown-transfer' : 'unknown-payment';
  return isTransfer ? 'transfer' : 'payment';
}

async function recordDiscrepancies({ db, log }: CompareDeps, page: readonly Comparison[]): Promise<void> {
  const found: Discrepancy[] = page.flatMap((row) => {
    const kind = kindOf(row);
    const { subject, eventId } = row;
    return kind ? [{ kind, subject, eventId, cents: row.movedCents - row.bookedCents }] : [];
  });
  for (const discrepancy of found) {
    const isNew = await openDiscrepancy(db, discrepancy);
    if (isNew) log.error(discrepancy, 'Stripe and our ledger disagree');
  }
  const compared = page.filter(({ isFresh }) => !isFresh).map(({ subject }) => subject);
  await resolveDiscrepancies(db, compared, found);
}

/** Also catches amounts without a payment or transfer. Leaves out what is too recent on either side. */
async function compareTotal({ db, clock, log }: CompareDeps): Promise<void> {
  const freshSince = new Date(clock.now().getTime() - FRESH_MINUTES * 60_000);
  const cents = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      let total = await totalDiscrepancyCents(tx);
      for await (const page of pagesOf(tx, freshSince)) {
        for (const row of page) if (row.isFresh) total -= row.movedCents - row.bookedCents;
      }
      return total;
    });
  if (cents === 0) return resolveDiscrepancies(db, [TOTAL], []);
  const isNew = await openDiscrepancy(db, { kind: 'balance', subject: TOTAL, eventId: null, cents });
  if (isNew) log.error({ cents }, 'Stripe and our ledger disagree in total');
}
