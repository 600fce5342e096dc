/** Texts with marks: as elements for a page, and as plain text for everything else. */
import { type RichPart, type RichText, richText } from '#contract/rich-text.ts';
import { type RichElement, readMarks } from './read-marks.ts';
import { addressOf } from './safe-link.ts';

/** Null for a text without marks, which is shown as typed. */
export function readRichText(text: string): RichText | null {
  // Most texts have none.
  if (!/[*_[]|^ {0,3}(?:-|\d+\.)[ \t]/m.test(text)) return null;
  const blocks = readBlocks(text);
  const hasMarks = blocks.some(({ is, parts }) => is !== 'p' || parts.some((part) => typeof part !== 'string'));
  return hasMarks ? (richText.safeParse(blocks).data ?? null) : null;
}

/** For emails, search engines and all that shows no marks. */
export function plainTextOf(text: string): string {
  const blocks = readRichText(text);
  // The backslash only keeps a mark from being one.
  return blocks ? blocks.map(plainBlock).join('\n\n') : text.replace(/\\([*_[\]])/g, '$1');
}

function plainBlock({ is, parts, ...block }: RichText[number]): string {
  if (is === 'p') return parts.map(plainPart).join('');
  const first = 'start' in block ? (block.start ?? 1) : 1;
  return parts.map((item, index) => `${is === 'ul' ? '•' : `${first + index}.`} ${plainPart(item)}`).join('\n');
}

function plainPart(part: RichPart): string {
  if (typeof part === 'string') return part;
  const text = part.parts.map(plainPart).join('');
  if (part.href === undefined) return text;
  const address = addressOf(part.href);
  return address === text || address === `${text}/` ? text : `${text} (${address})`;
}

interface ListLine {
  number: number | null;
  text: string;
}

/** A line that begins with `- `, `* ` or `1. `. */
function listLine(line: string): ListLine | null {
  const [, mark, text = ''] = /^ {0,3}([-*]|\d{1,9}\.)[ \t]+(\S.*)$/.exec(line) ?? [];
  if (mark === undefined) return null;
  return { number: mark.endsWith('.') ? Number.parseInt(mark, 10) : null, text };
}

/** Paragraphs, and lists of lines. Unlike in Markdown a list ends with its last line: people who don't know it leave no blank one. */
function readBlocks(text: string): RichElement[] {
  const blocks: RichElement[] = [];
  let paragraph: string[] = [];
  let list: ListLine[] = [];

  function endParagraph() {
    if (paragraph.length > 0) blocks.push({ is: 'p', parts: readMarks(paragraph.join('\n')) });
    paragraph = [];
  }
  function endList() {
    blocks.push(...listOf(list));
    list = [];
  }

  for (const line of text.split('\n')) {
    const item = listLine(line);
    const last = list.at(-1);
    if (item) {
      endParagraph();
      if (last && !follows(item, last)) endList();
      list.push(item);
    } else if (last && /^(?: {2}|\t)\s*\S/.test(line)) {
      // Indented: a further line of the item.
      last.text += `\n${line.trim()}`;
    } else {
      if (line.trim() !== '') endList();
      if (line.trim() === '') endParagraph();
      else paragraph.push(line);
    }
  }
  endParagraph();
  endList();
  return blocks;
}

const follows = (item: ListLine, last: ListLine) =>
  last.number === null ? item.number === null : item.number === last.number + 1;

function listOf(lines: readonly ListLine[]): RichElement[] {
  const [first] = lines;
  if (!first) return [];
  const parts = lines.map(({ text }): RichElement => ({ is: 'li', parts: readMarks(text) }));
  if (first.number === null) return [{ is: 'ul', parts }];
  return [{ is: 'ol', ...(first.number !== 1 && { start: first.number }), parts }];
}
