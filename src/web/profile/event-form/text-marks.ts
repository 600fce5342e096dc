/** Puts marks into a text as the buttons of its field do. */

export type Mark = 'bold' | 'italics' | 'link' | 'list';

interface Edit {
  /** What to replace, and by what. */
  from: number;
  to: number;
  text: string;
  /** What is selected then. */
  start: number;
  end: number;
}

const AROUND = { bold: '**', italics: '*' } as const;

/** @param samples the words where nothing is selected */
export function markText(
  value: string,
  selection: { start: number; end: number },
  mark: Mark,
  samples: Record<'bold' | 'italics' | 'link', string>,
): Edit {
  if (mark === 'list') return markLines(value, selection);
  const { start, end } = withoutSpaces(value, selection);
  const selected = value.slice(start, end);
  if (mark === 'link') return linkOf(selected, start, end, samples.link);
  return surround({ value, start, end, mark: AROUND[mark], sample: samples[mark] });
}

/** Marks next to a space are none. */
function withoutSpaces(value: string, { start, end }: { start: number; end: number }) {
  const selected = value.slice(start, end);
  if (selected.trim() === '') return { start, end };
  return {
    start: start + selected.length - selected.trimStart().length,
    end: end - (selected.length - selected.trimEnd().length),
  };
}

function linkOf(selected: string, from: number, to: number, sample: string): Edit {
  const isAddress = /^(?:https?:\/\/|mailto:)\S+$/.test(selected);
  const label = isAddress || selected === '' ? sample : selected;
  const address = isAddress ? selected : 'https://';
  const text = `[${label}](${address})`;
  // What is still to be typed.
  const start = label === sample ? from + 1 : from + text.length - 1;
  return { from, to, text, start, end: label === sample ? start + label.length : start };
}

interface Surrounded {
  value: string;
  start: number;
  end: number;
  mark: string;
  sample: string;
}

/** Takes the marks away where they are. */
function surround({ value, start, end, mark, sample }: Surrounded): Edit {
  const { length } = mark;
  const isMarked = value.slice(start - length, start) === mark && value.slice(end, end + length) === mark;
  if (isMarked && start >= length) {
    const text = value.slice(start, end);
    return { from: start - length, to: end + length, text, start: start - length, end: end - length };
  }
  const words = value.slice(start, end) || sample;
  return { from: start, to: end, text: mark + words + mark, start: start + length, end: start + length + words.length };
}

function markLines(value: string, { start, end }: { start: number; end: number }): Edit {
  const from = value.lastIndexOf('\n', start - 1) + 1;
  const next = value.indexOf('\n', end);
  const to = next === -1 ? value.length : next;
  const lines = value.slice(from, to).split('\n');
  const areItems = lines.every((line) => line.startsWith('- '));
  const text = lines.map((line) => (areItems ? line.slice(2) : `- ${line}`)).join('\n');
  // With one line the caret stays behind what is typed.
  return { from, to, text, start: lines.length > 1 ? from : from + text.length, end: from + text.length };
}
