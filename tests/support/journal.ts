/** Reads an event's journal, as an accountant's program does. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { journalFile } from '#contract/app/records/journal.ts';
import type { Visitor } from './http-visitor.ts';

interface JournalRow {
  record: string;
  at: string;
  account: string;
  /** Debits are positive. */
  cents: number;
  kind: string;
  transactionId: string;
  orderId: string;
  refundId: string;
  disputeId: string;
  payoutId: string;
  paymentId: string;
  stripeId: string;
  transferId: string;
  value: string;
}

export interface Journal {
  text: string;
  entries: JournalRow[];
  footer: JournalRow[];
}

export async function journalOf({ visitor, eventId }: { visitor: Visitor; eventId: string }): Promise<Journal> {
  const reply = await visitor.fetch(journalFile.path.replace(':eventId', eventId));
  if (reply.status !== 200) throw new Error(`the journal answered ${reply.status}: ${await reply.text()}`);
  return readJournal(Buffer.from(await reply.arrayBuffer()).toString('utf8'));
}

function readJournal(text: string): Journal {
  const records: string[][] = parse(text, { bom: true });
  const rows = records.slice(1).map(rowOf);
  const isEntry = ({ record }: JournalRow) => record === 'entry';
  return { text, entries: rows.filter(isEntry), footer: rows.filter((row) => !isEntry(row)) };
}

function rowOf(cells: readonly string[]): JournalRow {
  const [record = '', at = '', account = '', debit = '', credit = '', kind = '', transactionId = '', ...rest] = cells;
  const [orderId = '', refundId = '', disputeId = '', payoutId = '', ...ids] = rest;
  const [paymentId = '', stripeId = '', transferId = '', value = ''] = ids;
  const cents = centsOf(debit) - centsOf(credit);
  const ours = { orderId, refundId, disputeId, payoutId };
  return { record, at, account, cents, kind, transactionId, ...ours, paymentId, stripeId, transferId, value };
}

function centsOf(amount: string): number {
  if (amount === '') return 0;
  if (!/^\d+\.\d\d$/.test(amount)) throw new Error(`${amount} is no amount`);
  return Number(amount.replace('.', ''));
}

export const sumOf = (rows: readonly JournalRow[]): number => rows.reduce((sum, { cents }) => sum + cents, 0);

/** What the checker prints, and its exit code. */
export async function checkJournal(text: string): Promise<{ code: number; said: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'handstamp-journal-'));
  const file = join(folder, 'journal.csv');
  const script = new URL('../../scripts/journal-check.mjs', import.meta.url).pathname;
  try {
    await writeFile(file, text);
    const { stdout } = await promisify(execFile)(process.execPath, [script, file]);
    return { code: 0, said: stdout.trim() };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('stderr' in error)) throw error;
    return { code: Number(error.code), said: String(error.stderr).trim() };
  } finally {
    await rm(folder, { recursive: true });
  }
}
