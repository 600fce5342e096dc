import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

describe('a cell of a CSV file', () => {
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
  ])('is not evaluated as a formula: %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([
    ['sam+lee@example.com', '"sam+lee@example.com"'],
    ['Row "A", left', '"Row ""A"", left"'],
    ['two\nlines', '"two\nlines"'],
    ['1234567890', '"1234567890"'],
    ['', '""'],
  ])('is unchanged: %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('is a number if it was one', () => {
    expect(csvLine(['Fees', -12.5, 0])).toBe('"Fees",-12.5,0\r\n');
  });
});
