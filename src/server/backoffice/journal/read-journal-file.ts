import { createHash } from 'node:crypto';
import type { journalFile as endpoint } from '#contract/app/records/journal.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { journalFile as text } from '#messages/records/journal-file.ts';
import { taxShares } from '#server/backoffice/taxes/read-tax.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { ownEventToExport } from '#server/events/events.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { BYTE_ORDER_MARK } from '#server/platform/csv.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { FileDownload } from '#server/platform/http/mount-file.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import {
  comparisonOf,
  type JournalEntry,
  type JournalPosition,
  journalEntries,
  movementsOf,
  type StripeMovement,
  stripeMovementsOf,
} from './journal.sql.ts';
import {
  discrepancyLine,
  entryLine,
  headingLine,
  journalLine,
  notComparedLine,
  taxLine,
  unknownLine,
} from './journal-lines.ts';
import { matchMovements } from './match-movements.ts';

const ROWS_PER_PIECE = 1000;

/** Streams the event's ledger with one piece in memory at a time, and a footer that proves it. */
export async function readJournalFile(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  { eventId }: InputOf<typeof endpoint>,
): Promise<FileDownload> {
  await authorizeEvent(deps, actor, 'payout.view', eventId);
  await consumeLimit(deps.rateLimiter, 'export-journal', actor.userId);
  const event = await ownEventToExport(deps.db, actor.organizationId, eventId);
  if (!event) throw new AppError('event.not-found');
  const { title, day } = event;
  const journal = { eventId, title, at: deps.clock.now() };
  return { fileName: text.fileName(title, day), chunks: withHash(piecesOf(deps.db, journal)) };
}

/** The last line covers every byte before it, the footer too. */
async function* withHash(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  yield journalLine('fileHash', { value: hash.digest('hex') });
}

async function* piecesOf(
  db: Deps['db'],
  { eventId, title, at }: { eventId: string; title: string; at: Date },
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + headingLine();
  const { comparedUntil, discrepancies } = await comparisonOf(db, eventId);
  const totals = newTotals();
  const notCompared = new Set<string>();
  for (let after: JournalPosition | null = null, isLast = false; !isLast; ) {
    const entries: JournalEntry[] = await journalEntries(db, { eventId, after, limit: ROWS_PER_PIECE });
    const { lines, open } = await comparedLines(db, eventId, entries);
    for (const line of open) notCompared.add(line);
    totals.add(entries, lines);
    if (lines !== '') yield lines;
    after = entries.at(-1) ?? null;
    isLast = entries.length < ROWS_PER_PIECE;
  }
  yield journalLine('event', { at, value: title }) + totals.lines();
  yield* (await taxShares(db, eventId)).map(taxLine);
  yield journalLine('compared', { at: comparedUntil, value: comparedUntil ? '' : text.neverCompared });
  yield* notCompared;
  yield* discrepancies.map(discrepancyLine);
}

/** Lines of a piece with Stripe's balance transactions, and what isn't compared of its payments and transfers. */
async function comparedLines(db: Deps['db'], eventId: string, entries: readonly JournalEntry[]) {
  const moves = entries.filter(({ account }) => account === 'processor');
  const subjects = [...new Set(moves.map(subjectOf).filter((subject) => subject !== null))];
  const atStripe = await stripeMovementsOf(db, subjects);
  const { stripeIds, unknown } = matchMovements(await movementsOf(db, eventId, subjects), atStripe);
  const idOf = ({ account, transactionId }: JournalEntry) =>
    account === 'processor' ? stripeIds.get(transactionId) : undefined;
  return {
    lines: entries.map((entry) => entryLine(entry, idOf(entry))).join(''),
    open: [
      ...moves.filter((move) => !idOf(move)).map((move) => notComparedLine(move, reasonOf(move, atStripe))),
      ...unknown.map(unknownLine),
    ],
  };
}

const subjectOf = ({ paymentId, transferId }: JournalEntry) => paymentId ?? transferId;

function reasonOf(move: JournalEntry, atStripe: readonly StripeMovement[]) {
  const subject = subjectOf(move);
  if (subject === null) return 'noId';
  return atStripe.some((one) => one.subject === subject) ? 'otherAmount' : 'unread';
}

/** What the footer says about the rows. */
function newTotals() {
  const hash = createHash('sha256');
  const sums = new Map<string, { debitCents: number; creditCents: number }>();
  let rows = 0;
  return {
    add(entries: readonly JournalEntry[], lines: string) {
      hash.update(lines);
      rows += entries.length;
      for (const { account, cents } of entries) {
        const { debitCents, creditCents } = sums.get(account) ?? { debitCents: 0, creditCents: 0 };
        sums.set(account, {
          debitCents: debitCents + Math.max(0, cents),
          creditCents: creditCents + Math.max(0, -cents),
        });
      }
    },
    lines(): string {
      const accounts = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
      const totalOf = (side: 'debitCents' | 'creditCents') => accounts.reduce((sum, [, of]) => sum + of[side], 0);
      return [
        ...accounts.map(([account, of]) => journalLine('sum', { account, ...of })),
        journalLine('total', { debitCents: totalOf('debitCents'), creditCents: totalOf('creditCents') }),
        journalLine('rows', { value: String(rows) }),
        journalLine('rowsHash', { value: hash.digest('hex') }),
      ].join('');
    },
  };
}
