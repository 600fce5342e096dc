/** Reads guests from a CSV file. The file is not stored. */
import { CsvError, parse } from 'csv-parse/sync';
import type { RowProblem } from '#contract/app/sales/import-guests.ts';
import { doorNote } from '#contract/forms/door-note.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { guestName } from '#contract/forms/guest-details.ts';
import { typedCount } from '#contract/forms/typed-count.ts';
import { IMPORT_COLUMNS_MAX, IMPORT_ROWS_MAX, ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { nameKey } from '#domain/name-key.ts';
import { visibleText } from '#domain/visible-text.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { GuestToAdd } from './reserve-batch.ts';

export interface GuestTable {
  headings: string[];
  /** Without blank ones. The headings are row 1. */
  rows: { row: number; cells: string[] }[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readTable(bytes: Buffer): GuestTable {
  const text = decoded(bytes);
  const [headings = [], ...records] = recordsOf(text);
  if (headings.length > IMPORT_COLUMNS_MAX) throw new AppError('import.too-many-columns');
  const rows = records
    .map((cells, index) => ({ row: index + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (rows.length === 0) throw new AppError('import.empty');
  if (rows.length > IMPORT_ROWS_MAX) throw new AppError('import.too-many-rows');
  return { headings: headings.map(shown), rows };
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError('import.not-utf8');
  }
}

function recordsOf(text: string): string[][] {
  try {
    return parse(text, { delimiter: delimiterOf(text), relax_column_count: true, trim: true, to: IMPORT_ROWS_MAX + 2 });
  } catch (error) {
    if (error instanceof CsvError) throw new AppError('import.unreadable');
    throw error;
  }
}

/** Spreadsheets write semicolons where commas are decimal points, and tabs when cells are copied. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const count = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most));
}

export interface Columns {
  email: number | null;
  type: number | null;
  quantity: number | null;
  name: number | null;
  note: number | null;
}

const HEADINGS = {
  email: ['email', 'email address', 'guest email'],
  type: ['ticket', 'ticket type', 'ticket name', 'type'],
  quantity: ['quantity', 'qty', 'tickets', 'tickets each', 'number of tickets', 'count'],
  name: ['name', 'guest', 'guest name', 'full name'],
  note: ['note', 'door note'],
};

/** The chosen columns, or those whose headings say what they are. */
export function columnsOf({ headings }: GuestTable, chosen: Record<keyof Columns, string | undefined>): Columns {
  const keys = headings.map((heading) => nameKey(heading.replaceAll('-', '')));
  const columnOf = (what: keyof Columns) => {
    const choice = chosen[what];
    if (choice !== undefined) return choice !== '' && Number(choice) < headings.length ? Number(choice) : null;
    const found = keys.findIndex((key) => HEADINGS[what].includes(key));
    return found === -1 ? null : found;
  };
  return {
    email: columnOf('email'),
    type: columnOf('type'),
    quantity: columnOf('quantity'),
    name: columnOf('name'),
    note: columnOf('note'),
  };
}

const NO_EMAIL = { success: true, data: undefined } as const;

interface Type {
  id: string;
  name: string;
}

/** @param ticketId the type of rows that name none */
export function guestsIn(
  { rows }: GuestTable,
  { columns, types, ticketId }: { columns: Columns; types: readonly Type[]; ticketId: string | undefined },
): { guests: GuestToAdd[]; problems: RowProblem[] } {
  const typeOf = new Map(types.map(({ id, name }) => [nameKey(name), id]));
  const isType = types.some(({ id }) => id === ticketId);
  const guests: GuestToAdd[] = [];
  const problems: RowProblem[] = [];
  for (const { row, cells } of rows) {
    const cell = (column: number | null) => (column === null ? '' : (cells[column] ?? ''));
    const typed = {
      email: cell(columns.email),
      type: cell(columns.type),
      quantity: cell(columns.quantity),
      name: cell(columns.name),
      note: cell(columns.note),
    };
    const [name, note] = [guestName.safeParse(typed.name), doorNote.safeParse(typed.note)];
    // A guest with a name may have no address: the organizer gives them their ticket.
    const email = typed.email === '' && name.data ? NO_EMAIL : emailField.safeParse(typed.email);
    const type = typed.type === '' && isType ? ticketId : typeOf.get(nameKey(typed.type));
    const quantity = typedCount(typed.quantity, ORDER_TICKETS_MAX);
    const rejected = (reason: RowProblem['reason']) => problems.push({ row, reason, value: shown(typed[reason]) });
    if (!email.success) rejected('email');
    if (type === undefined) rejected('type');
    if (quantity === undefined) rejected('quantity');
    if (!name.success) rejected('name');
    if (!note.success) rejected('note');
    if (email.success && name.success && note.success && type !== undefined && quantity !== undefined)
      guests.push({
        ...(email.data !== undefined && { email: email.data }),
        ticketId: type,
        quantity: quantity ?? 1,
        ...(name.data && { name: name.data }),
        ...(note.data && { doorNote: note.data }),
      });
  }
  return { guests, problems };
}

const SHOWN_MAX = 100;

const shown = (cell: string): string => visibleText(cell.replace(/\s+/g, ' ')).slice(0, SHOWN_MAX);
