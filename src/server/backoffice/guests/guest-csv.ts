/** Guest list as CSV (RFC 4180), hardened against formula injection. */
import type { ExportedGuest, GuestFileColumn } from '#messages/guests.ts';

/** Without it, Excel does not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Spreadsheets evaluate a cell that starts like this as a formula, even with full-width signs or after whitespace. */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

export function csvHeader(columns: readonly GuestFileColumn[]): string {
  return BYTE_ORDER_MARK + csvLine(columns.map(([heading]) => heading));
}

export function csvLines(guests: readonly ExportedGuest[], columns: readonly GuestFileColumn[]): string {
  return guests.map((guest) => csvLine(columns.map(([, cellOf]) => cellOf(guest)))).join('');
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Locales with semicolon separators split a cell at its semicolons, and the rest starts a cell of its own. */
const FORMULA_AFTER_SEMICOLON = /(;[\s\0]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A leading apostrophe makes a spreadsheet treat the cell as text. */
export function csvCell(text: string): string {
  const escaped = FORMULA.test(text) ? `'${text}` : text;
  const safe = escaped.replace(FORMULA_AFTER_SEMICOLON, "$1'");
  return `"${safe.replaceAll('"', '""')}"`;
}
