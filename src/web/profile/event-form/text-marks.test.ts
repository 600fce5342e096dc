import { describe, expect, it } from 'vitest';
import { type Mark, markText } from './text-marks.ts';

const samples = { bold: 'bold', italics: 'italics', link: 'text' };

/** `|` and `|` around the selection, or one where the caret is. */
function press(mark: Mark, typed: string): string {
  const start = typed.indexOf('|');
  const end = typed.lastIndexOf('|') - (typed.lastIndexOf('|') > start ? 1 : 0);
  const value = typed.replaceAll('|', '');
  const edit = markText(value, { start, end }, mark, samples);
  const after = value.slice(0, edit.from) + edit.text + value.slice(edit.to);
  return edit.start === edit.end
    ? `${after.slice(0, edit.start)}|${after.slice(edit.start)}`
    : `${after.slice(0, edit.start)}|${after.slice(edit.start, edit.end)}|${after.slice(edit.end)}`;
}

describe('the buttons of a text', () => {
  it.each<[Mark, string, string]>([
    ['bold', 'Six |horns| here', 'Six **|horns|** here'],
    ['bold', 'Six| horns |here', 'Six **|horns|** here'],
    ['bold', 'Six **|horns|** here', 'Six |horns| here'],
    ['bold', 'Six |', 'Six **|bold|**'],
    ['bold', '|', '**|bold|**'],
    ['italics', '|horns|', '*|horns|*'],
    ['italics', 'a *|horns|* b', 'a |horns| b'],
    ['link', 'See |the lineup|.', 'See [the lineup](https://|).'],
    ['link', 'See |https://brass.example|.', 'See [|text|](https://brass.example).'],
    ['link', 'See |', 'See [|text|](https://)'],
    ['list', 'Doors|', '- Doors|'],
    ['list', '- Doors|', 'Doors|'],
    ['list', '|Doors\nShow|\nEnd', '|- Doors\n- Show|\nEnd'],
    ['list', 'A\nDo|ors\nSh|ow', 'A\n|- Doors\n- Show|'],
    ['list', '|- Doors\n- Show|', '|Doors\nShow|'],
    ['list', '|', '- |'],
  ])('%s makes %j into %j [EVT-19]', (mark, typed, marked) => {
    expect(press(mark, typed)).toBe(marked);
  });
});
