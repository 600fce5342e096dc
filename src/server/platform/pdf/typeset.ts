/** PDFs with text in the product's typeface, which has the Latin alphabets only. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fontkit from '@pdf-lib/fontkit';
import { type Color, PDFDocument, type PDFFont, type PDFPage } from 'pdf-lib';

export const LETTER: [width: number, height: number] = [612, 792];

/** Of a line's height to its size. */
export const LEADING = 1.4;

const FILES = join(
  import.meta.dirname,
  '../../../../node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque',
);
const ALPHABETS = ['latin', 'latin-ext', 'vietnamese'] as const;
const WEIGHTS = { regular: 400, bold: 700 } as const;

export interface TextStyle {
  size: number;
  weight?: keyof typeof WEIGHTS;
  color?: Color;
}

export interface Typeset {
  document: PDFDocument;
  width(line: string, style: TextStyle): number;
  /** Breaks a text into lines of at most this width. */
  lines(text: string, style: TextStyle, width: number): string[];
  draw(page: PDFPage, line: string, style: TextStyle & { x: number; y: number }): void;
}

export async function typeset(title: string): Promise<Typeset> {
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit);
  document.setTitle(title);
  const fonts = { regular: await embed(document, 'regular'), bold: await embed(document, 'bold') };

  /** Each with the font that has its characters. */
  function runsOf(line: string, weight: keyof typeof WEIGHTS): { font: PDFFont; text: string }[] {
    const runs: { font: PDFFont; text: string }[] = [];
    for (const character of printable(line, fonts[weight])) {
      const last = runs.at(-1);
      const font = fontOf(character, fonts[weight]) ?? last?.font;
      if (last && last.font === font) last.text += character;
      else if (font) runs.push({ font, text: character });
    }
    return runs;
  }

  const widthOf = (line: string, { size, weight = 'regular' }: TextStyle) =>
    runsOf(line, weight).reduce((sum, { font, text }) => sum + font.widthOfTextAtSize(text, size), 0);

  return {
    document,
    width: widthOf,
    lines(text, style, width) {
      const space = widthOf(' ', style);
      const lines: string[] = [];
      let filled = Infinity;
      const words = printable(text, fonts[style.weight ?? 'regular'])
        .trim()
        .split(' ');
      for (const word of words.flatMap((each) => broken(each, (part) => widthOf(part, style) <= width))) {
        const wide = widthOf(word, style);
        const fits = filled + space + wide <= width;
        if (fits) lines.push(`${lines.pop()} ${word}`);
        else lines.push(word);
        filled = fits ? filled + space + wide : wide;
      }
      return lines;
    },
    draw(page, line, { x, y, size, weight = 'regular', color }) {
      let left = x;
      for (const { font, text } of runsOf(line, weight)) {
        page.drawText(text, { x: left, y, size, font, ...(color && { color }) });
        left += font.widthOfTextAtSize(text, size);
      }
    },
  };
}

interface Font {
  font: PDFFont;
  characters: ReadonlySet<number>;
}

function embed(document: PDFDocument, weight: keyof typeof WEIGHTS): Promise<Font[]> {
  return Promise.all(
    ALPHABETS.map(async (alphabet) => {
      const file = await readFile(`${FILES}-${alphabet}-${WEIGHTS[weight]}-normal.woff`);
      // Without ligatures, because text that is copied from them has holes.
      const font = await document.embedFont(file, { subset: true, features: { liga: false } });
      return { font, characters: new Set(font.getCharacterSet()) };
    }),
  );
}

const fontOf = (character: string, fonts: readonly Font[]): PDFFont | undefined =>
  fonts.find(({ characters }) => characters.has(character.codePointAt(0) ?? 0))?.font;

/** Emoji, and what joins and colors them. */
const DECORATION = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{M}\p{C}]/u;

/** Drops emoji, and replaces letters of other alphabets. */
function printable(text: string, fonts: readonly Font[]): string {
  const characters = Array.from(text.normalize('NFC').replaceAll(/\s/g, ' '), (character) => {
    if (fontOf(character, fonts)) return character;
    return DECORATION.test(character) ? '' : '?';
  });
  return characters.join('').replaceAll(/ +/g, ' ');
}

/** A word in parts that fit in a line. */
function broken(word: string, fits: (part: string) => boolean): string[] {
  if (fits(word)) return [word];
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (part === '' || fits(part + character)) part += character;
    else {
      parts.push(part);
      part = character;
    }
  }
  return [...parts, part];
}
