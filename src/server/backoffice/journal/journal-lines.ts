/** Lines of the journal: all have the same cells, so that programs read the entries and the footer alike. */

import { exactDollars } from '#domain/money.ts';
import type { IncludedTax } from '#domain/taxes/included-tax.ts';
import { journalFile as text } from '#messages/records/journal-file.ts';
import { csvLine } from '#server/platform/csv.ts';
import type { JournalEntry, OpenDiscrepancy, StripeMovement } from './journal.sql.ts';

type RecordName = keyof typeof text.records;

interface Line extends Partial<Omit<JournalEntry, 'account' | 'kind' | 'cents' | 'at'>> {
  at?: Date | null;
  account?: string;
  kind?: string;
  debitCents?: number | undefined;
  creditCents?: number | undefined;
  stripeId?: string | undefined;
  value?: string;
}

export const headingLine = (): string => csvLine(text.columns);

export function journalLine(record: RecordName, line: Line): string {
  const cells = [
    text.records[record],
    line.at?.toISOString(),
    line.account,
    dollars(line.debitCents),
    dollars(line.creditCents),
    line.kind,
    line.transactionId,
    line.orderId,
    line.refundId,
    line.disputeId,
    line.payoutId,
    line.paymentId,
    line.stripeId,
    line.transferId,
    line.value,
  ];
  return csvLine(cells.map((cell) => cell ?? ''));
}

/** Stripe's ids stand where its balance changes, so each is on one line of a movement. */
export function entryLine(entry: JournalEntry, stripeId: string | undefined): string {
  const isAtStripe = entry.account === 'processor';
  const { paymentId, transferId } = isAtStripe ? entry : { paymentId: null, transferId: null };
  return journalLine('entry', { ...entry, ...sidesOf(entry.cents), paymentId, transferId, stripeId });
}

export function notComparedLine(entry: JournalEntry, reason: keyof typeof text.reasons): string {
  return journalLine('notCompared', { ...entry, ...sidesOf(entry.cents), value: text.reasons[reason] });
}

export function unknownLine({ id: stripeId, subject, isTransfer, cents, at }: StripeMovement): string {
  const ids = isTransfer ? { transferId: subject } : { paymentId: subject };
  return journalLine('notCompared', { at, ...sidesOf(cents), ...ids, stripeId, value: text.reasons.notInLedger });
}

export function discrepancyLine({ kind, subject: value, cents, at }: OpenDiscrepancy): string {
  return journalLine('discrepancy', { at, kind, ...sidesOf(cents), value });
}

interface TaxShare extends IncludedTax {
  since: Date;
  tickets: number;
  taxCents: number;
}

/** Not booked: a part of sales that stays with the organizer. */
export const taxLine = ({ since: at, tickets, taxCents, ...tax }: TaxShare): string =>
  journalLine('tax', { at, kind: text.tax(tax), creditCents: taxCents, value: String(tickets) });

function sidesOf(cents: number): Pick<Line, 'debitCents' | 'creditCents'> {
  return cents > 0 ? { debitCents: cents } : { creditCents: -cents };
}

const dollars = (cents: number | undefined): string => (cents === undefined ? '' : exactDollars(cents));
