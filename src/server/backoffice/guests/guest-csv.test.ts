import { describe, expect, it } from 'vitest';
import { csvCell, csvHead } from './guest-csv.ts';

describe('a cell of the guest file', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['+15551234', `"'+15551234"`],
    ['-2@example.com', `"'-2@example.com"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    [' =1+1', `"' =1+1"`],
    ['\t=1+1', `"'\t=1+1"`],
    ['\rx', `"'\rx"`],
    ['＝1+1', `"'＝1+1"`],
    ['left; =1+1', `"left; '=1+1"`],
  ])('is no formula: %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([
    ['sam+lee@example.com', '"sam+lee@example.com"'],
    ['Row "A", left', '"Row ""A"", left"'],
    ['two\nlines', '"two\nlines"'],
    ['1234567890', '"1234567890"'],
    ['', '""'],
  ])('stays what it is: %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('comes after a mark that says which letters these are', () => {
    expect(csvHead('America/Chicago').codePointAt(0)).toBe(0xfeff);
  });
});
