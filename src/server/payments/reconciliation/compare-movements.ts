/**
 * Compares each payment and each transfer, cent by cent, with what the card company says it moved for it, and the sum of
 * all with our clearing account. What does not agree becomes a row for the operator; no money is moved because of it.
 */
import type { DiscrepancyKind } from '#contract/difference-words.ts';
import {
  type Discrepancy,
  openDiscrepancy,
  resolveDiscrepancies,
} from '#server/payments/discrepancies/discrepancies.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { type Poll, recordPolls, worthALook } from './polls.sql.ts';
import { type Comparison, compareBalances, totalDiscrepancyCents, touchedSince } from './reconciliation.sql.ts';
import { trySettlePayment } from './settle-payment.ts';

const PAGE = 500;
/** Each look costs several calls to the card company. What is left over stays open, and is looked into by a later run. */
const POLLED_MAX = 200;
const FRESH_MINUTES = 15;

type CompareDeps = Parameters<typeof trySettlePayment>[0];

export async function compareMovements(deps: CompareDeps, since: Date, looksAtMost = POLLED_MAX): Promise<void> {
  let left = looksAtMost;
  for await (const page of pagesOf(deps.db, since)) {
    const suspects = await suspectsAmong(deps.db, page, left);
    left -= suspects.length;
    for (const { subject } of suspects) await trySettlePayment(deps, subject);
    await recordPolls(deps.db, suspects);
    await tell(deps, suspects.length > 0 ? await compareBalances(deps.db, page.map(subjectOf)) : page);
  }
  await compareTotal(deps);
}

async function* pagesOf(db: Db, since: Date): AsyncGenerator<Comparison[]> {
  const touched = await touchedSince(db, since);
  for (let at = 0; at < touched.length; at += PAGE) yield compareBalances(db, touched.slice(at, at + PAGE));
}

/** Perhaps only a notice got lost: looking at the payment again may be all that it takes. */
async function suspectsAmong(db: Db, page: readonly Comparison[], atMost: number): Promise<Poll[]> {
  const different = page.filter((row) => kindOf(row) === 'payment');
  const looks = different.map(({ subject, movedCents, bookedCents }) => ({
    subject,
    seen: `${movedCents} moved, ${bookedCents} booked`,
  }));
  return (await worthALook(db, looks)).slice(0, atMost);
}

const subjectOf = ({ subject }: Comparison) => subject;

function kindOf({ eventId, isTransfer, movedCents, bookedCents, isFresh }: Comparison): DiscrepancyKind | null {
  if (isFresh || movedCents === bookedCents) return null;
  if (eventId === null) return isTransfer ? 'unknown-transfer' : 'unknown-payment';
  return isTransfer ? 'transfer' : 'payment';
}

async function tell({ db, log }: CompareDeps, page: readonly Comparison[]): Promise<void> {
  const found: Discrepancy[] = page.flatMap((row) => {
    const kind = kindOf(row);
    const { subject, eventId } = row;
    return kind ? [{ kind, subject, eventId, cents: row.movedCents - row.bookedCents }] : [];
  });
  for (const difference of found) {
    const isNew = await openDiscrepancy(db, difference);
    if (isNew) log.error(difference, 'the card company and our books disagree');
  }
  const compared = page.filter(({ isFresh }) => !isFresh).map(({ subject }) => subject);
  await resolveDiscrepancies(db, compared, found);
}

const TOTAL = 'all movements';

/** Also finds what belongs to no payment and no transfer. What is too new to be compared is left out on both sides. */
async function compareTotal({ db, clock, log }: CompareDeps): Promise<void> {
  const recently = new Date(clock.now().getTime() - FRESH_MINUTES * 60_000);
  const cents = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      let total = await totalDiscrepancyCents(tx);
      for await (const page of pagesOf(tx, recently)) {
        for (const row of page) if (row.isFresh) total -= row.movedCents - row.bookedCents;
      }
      return total;
    });
  if (cents === 0) return resolveDiscrepancies(db, [TOTAL], []);
  const isNew = await openDiscrepancy(db, { kind: 'balance', subject: TOTAL, eventId: null, cents });
  if (isNew) log.error({ cents }, 'the card company and our books disagree in all');
}
