/** CSV (RFC 4180), hardened against formula injection. */

/** Without it at the start of a file, Excel does not read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Spreadsheets evaluate a cell that starts like this as a formula, even with full-width signs or after whitespace. */
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** Locales with semicolon separators split a cell at its semicolons, and the rest starts a cell of its own. */
const FORMULA_AFTER_SEMICOLON = /(;[\s\0]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Numbers are written as such, texts in quotes. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(cell))).join(',')}\r\n`;
}

/** A leading apostrophe makes a spreadsheet treat the cell as text. */
export function csvCell(text: string): string {
  const escaped = FORMULA.test(text) ? `'${text}` : text;
  const safe = escaped.replace(FORMULA_AFTER_SEMICOLON, "$1'");
  return `"${safe.replaceAll('"', '""')}"`;
}
