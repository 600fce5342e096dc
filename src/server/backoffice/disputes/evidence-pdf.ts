/** Renders the evidence as a PDF: a title, and a heading over the rows of each part. */
import { PDFDocument, type PDFFont, StandardFonts } from 'pdf-lib';
import { evidenceDocument as text } from '#messages/operations/evidence.ts';
import type { Evidence } from './evidence.ts';

const LETTER: [number, number] = [612, 792];
const MARGIN = 54;
const BODY = 10;
const HEADING = 13;
const LEADING = 1.4;

export async function evidencePdf({ title, sections }: Evidence): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle(title);
  const regular = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  let page = document.addPage(LETTER);
  let top = LETTER[1] - MARGIN;
  const write = (words: string, font: PDFFont, size: number) => {
    for (const line of wrapped(printable(words, font), font, size)) {
      top -= size * LEADING;
      if (top < MARGIN) {
        page = document.addPage(LETTER);
        top = LETTER[1] - MARGIN - size * LEADING;
      }
      page.drawText(line, { x: MARGIN, y: top, size, font });
    }
  };

  write(title, bold, HEADING);
  for (const part of ['purchase', 'page', 'organizer', 'emails', 'scans', 'refunds'] as const) {
    top -= HEADING;
    write(text.sections[part], bold, HEADING);
    const rows = sections[part];
    for (const row of rows.length > 0 ? rows : [text.nothing]) write(row, regular, BODY);
  }
  return document.save();
}

/** The standard fonts know Western characters only, and need no font file. */
function printable(words: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  return Array.from(words.normalize('NFC').replaceAll(/\s+/g, ' '), (character) =>
    known.has(character.codePointAt(0) ?? 0) ? character : '?',
  ).join('');
}

function wrapped(words: string, font: PDFFont, size: number): string[] {
  const width = LETTER[0] - 2 * MARGIN;
  const lines = [''];
  // A word that is longer than a line is broken.
  for (const word of words.split(' ').flatMap((each) => each.match(/.{1,60}/gu) ?? [''])) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? word : `${last} ${word}`;
    if (font.widthOfTextAtSize(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
