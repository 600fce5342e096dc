/** Renders the evidence as a PDF: a title, and a heading over the rows of each part. */
import { evidenceDocument as text } from '#messages/operations/evidence.ts';
import { LEADING, LETTER, type TextStyle, typeset } from '#server/platform/pdf/typeset.ts';
import type { Evidence } from './evidence.ts';

const MARGIN = 54;
const BODY: TextStyle = { size: 10 };
const HEADING: TextStyle = { size: 13, weight: 'bold' };

export async function evidencePdf({ title, sections }: Evidence): Promise<Uint8Array> {
  const { document, lines, draw } = await typeset(title);
  let page = document.addPage(LETTER);
  let top = LETTER[1] - MARGIN;
  const write = (words: string, style: TextStyle) => {
    for (const line of lines(words, style, LETTER[0] - 2 * MARGIN)) {
      top -= style.size * LEADING;
      if (top < MARGIN) {
        page = document.addPage(LETTER);
        top = LETTER[1] - MARGIN - style.size * LEADING;
      }
      draw(page, line, { ...style, x: MARGIN, y: top });
    }
  };

  write(title, HEADING);
  for (const part of ['purchase', 'page', 'organizer', 'emails', 'scans', 'refunds'] as const) {
    top -= HEADING.size;
    write(text.sections[part], HEADING);
    const rows = sections[part];
    for (const row of rows.length > 0 ? rows : [text.nothing]) write(row, BODY);
  }
  return document.save();
}
