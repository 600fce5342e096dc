/** Bold, italics and links in a text, by the rules of CommonMark. Everything else stays as typed. */
import MarkdownIt from 'markdown-it';
import type { RichPart } from '#contract/rich-text.ts';
import { addressOf, isMisleading, safeLink } from './safe-link.ts';

export type RichElement = Exclude<RichPart, string>;
type Open = RichElement & { parts: RichPart[] };

/** Without any rule but those that are named: no HTML, code, headings, tables or bare addresses. */
const markdown = new MarkdownIt('zero').enable(['emphasis', 'link', 'image', 'escape']);
markdown.validateLink = (address) => safeLink(address) !== null;
/** Stars inside a word are no marks, as underscores are none: `2*3*4` stays. */
markdown.inline.State = class extends markdown.inline.State {
  override scanDelims(start: number) {
    return super.scanDelims(start, false);
  }
};

/** @param text without blank lines */
export function readMarks(text: string): RichPart[] {
  const [inline] = markdown.parseInline(text, {});
  const whole: Open = { is: 'p', parts: [] };
  const open = [whole];
  const innermost = () => open.at(-1) ?? whole;

  for (const { type, nesting, content, attrs } of inline?.children ?? []) {
    const address = String(attrs?.find(([name]) => name === 'href' || name === 'src')?.[1] ?? '');
    if (type === 'image') append(innermost(), link(address, [content]));
    else if (nesting === 1) {
      const is = MARKS[type] ?? 'a';
      // Marks within the same marks add nothing.
      const same = open.find((element) => element.is === is);
      open.push(same ? innermost() : { is, ...(is === 'a' && { href: address }), parts: [] });
    } else if (nesting === -1) {
      const closed = open.pop() ?? whole;
      if (closed !== innermost())
        append(innermost(), closed.is === 'a' ? link(closed.href ?? '', closed.parts) : [closed]);
    } else append(innermost(), [type === 'hardbreak' ? '\n' : content]);
  }
  return whole.parts;
}

const MARKS: Record<string, RichElement['is']> = { strong_open: 'strong', em_open: 'em', link_open: 'a' };

function append({ parts }: Open, added: readonly RichPart[]): void {
  for (const part of added) {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else if (typeof part === 'string' ? part !== '' : part.parts.length > 0) parts.push(part);
  }
}

/** Shows its address where it has no text, or a misleading one. Without an address it stays as typed. */
function link(address: string, parts: readonly RichPart[]): RichPart[] {
  const href = safeLink(address);
  if (href === null) return ['[', ...parts, `](${address})`];
  const text = parts.map(lettersOf).join('');
  return [{ is: 'a', href, parts: text.trim() === '' || isMisleading(text, href) ? [addressOf(href)] : parts }];
}

/** What it says, without its marks. */
const lettersOf = (part: RichPart): string => (typeof part === 'string' ? part : part.parts.map(lettersOf).join(''));
