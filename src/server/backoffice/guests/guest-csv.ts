/** A guest list as a spreadsheet reads it: RFC 4180, with what spreadsheets get wrong put right. */
import { type ExportedGuest, guestFileColumns } from '#contract/guests.ts';

/** Without it, spreadsheets take the file for the letters of thirty years ago. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A cell that begins like this is worked out as a formula, also one in full-width signs, or after blanks. */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

export function csvHead(timezone: string): string {
  return BYTE_ORDER_MARK + csvLine(guestFileColumns(timezone).map(([heading]) => heading));
}

export function csvLines(guests: readonly ExportedGuest[], timezone: string): string {
  const columns = guestFileColumns(timezone);
  return guests.map((guest) => csvLine(columns.map(([, cellOf]) => cellOf(guest)))).join('');
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Where lists are separated by semicolons, what follows one in a cell of ours begins a cell of its own. */
const FORMULA_FURTHER_ON = /(;[\s\0]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** The apostrophe keeps what follows as the text that it is; a spreadsheet takes it for its own sign. */
export function csvCell(text: string): string {
  const begun = FORMULA.test(text) ? `'${text}` : text;
  const safe = begun.replace(FORMULA_FURTHER_ON, "$1'");
  return `"${safe.replaceAll('"', '""')}"`;
}
