/** Renders a statement as a PDF: one payout below the other, amounts at the right edge. */
import { type PDFPage, rgb } from 'pdf-lib';
import type { StatementRow } from '#messages/payouts.ts';
import { statementFile as text } from '#messages/records/statement-file.ts';
import { LEADING, LETTER, type TextStyle, type Typeset, typeset } from '#server/platform/pdf/typeset.ts';

/** One payout of the statement. */
export interface StatementPart {
  name: string;
  status: string;
  rows: StatementRow[];
  notes: string[];
}

interface PrintedStatement {
  title: string;
  /** About the event. */
  lines: string[];
  parts: StatementPart[];
}

const INK = rgb(0.082, 0.09, 0.169);
const QUIET = rgb(0.34, 0.35, 0.42);
const RULE = rgb(0.8, 0.79, 0.75);

const EYEBROW: TextStyle = { size: 11, weight: 'bold', color: QUIET };
const TITLE: TextStyle = { size: 24, weight: 'bold', color: INK };
const HEADING: TextStyle = { size: 15, weight: 'bold', color: INK };
const BODY: TextStyle = { size: 11, color: INK };
const NET: TextStyle = { size: 13, weight: 'bold', color: INK };
const SMALL: TextStyle = { size: 9.5, color: QUIET };

const EDGE = 72;
const RIGHT = LETTER[0] - EDGE;
const WIDTH = LETTER[0] - 2 * EDGE;
const AMOUNT_WIDTH = 110;
const ROW_GAP = 7;

export async function statementPdf({ title, lines, parts }: PrintedStatement): Promise<Uint8Array> {
  const set = await typeset(text.fileName(title, '').trim());
  const sheet = newSheet(set);
  sheet.write(text.title, EYEBROW);
  sheet.write(title, TITLE);
  sheet.skip(4);
  for (const line of lines) sheet.write(line, BODY);
  for (const part of parts) writePart(sheet, part);
  return set.document.save();
}

function writePart(sheet: Sheet, { name, status, rows, notes }: StatementPart): void {
  sheet.skip(26);
  sheet.keepTogether(HEADING.size * LEADING + SMALL.size * LEADING + 3 * (BODY.size * LEADING + ROW_GAP));
  sheet.write(name, HEADING);
  sheet.write(status, SMALL);
  sheet.skip(8);
  for (const row of rows) sheet.row(row);
  sheet.skip(6);
  for (const note of notes) sheet.write(note, SMALL);
}

type Sheet = ReturnType<typeof newSheet>;

/** Writes from the top down, and goes on with a new page where one is full. */
function newSheet({ document, lines, width, draw }: Typeset) {
  let page: PDFPage = document.addPage(LETTER);
  let top = LETTER[1] - EDGE;
  const keepTogether = (height: number) => {
    if (top - height >= EDGE) return;
    page = document.addPage(LETTER);
    top = LETTER[1] - EDGE;
  };
  const down = (height: number) => {
    keepTogether(height);
    top -= height;
  };
  return {
    keepTogether,
    skip(height: number) {
      top -= height;
    },
    write(words: string, style: TextStyle) {
      for (const line of lines(words, style, WIDTH)) {
        down(style.size * LEADING);
        draw(page, line, { ...style, x: EDGE, y: top });
      }
    },
    row({ label, amount, isNet }: StatementRow) {
      const style = isNet ? NET : BODY;
      const wrapped = lines(label, style, WIDTH - AMOUNT_WIDTH);
      keepTogether(wrapped.length * style.size * LEADING + ROW_GAP);
      for (const [index, line] of wrapped.entries()) {
        down(style.size * LEADING);
        draw(page, line, { ...style, x: EDGE, y: top });
        if (index === 0) draw(page, amount, { ...style, x: RIGHT - width(amount, style), y: top });
      }
      top -= ROW_GAP;
      page.drawLine({
        start: { x: EDGE, y: top + 1 },
        end: { x: RIGHT, y: top + 1 },
        thickness: isNet ? 1.2 : 0.6,
        color: isNet ? INK : RULE,
      });
    },
  };
}
