import { describe, expect, it } from 'vitest';
import { csvRows } from '../../test/csv-rows.ts';
import { csvCell, csvOf } from './csv.ts';

describe('files for spreadsheets', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1 for this', "'+1 for this"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', '"\'\t=1"'],
    ['1;=1', '"1;=1"'],
    ['＝1', "'＝1"],
  ])('[WP5] %j cannot become a formula', (text, safe) => {
    expect(csvCell(text)).toBe(safe);
  });

  it.each(['-5.363259', '0', '12', 'Will it rain?', 'a=b', ''])(
    '[WP5] %j stays as it is',
    (text) => {
      expect(csvCell(text)).toBe(text);
    },
  );

  it('[WP5] commas, quotes and line breaks stay in their cell', () => {
    const rows = [
      ['a,b', 'say "yes"', 'two\r\nlines'],
      ['=HYPERLINK("http://127.0.0.1","x")', '-1.5', '猫'],
    ];
    const text = csvOf(['x', 'y', 'z'], rows);
    expect(text.startsWith('\ufeffx,y,z\r\n')).toBe(true);
    expect(csvRows(text)).toEqual([
      ['x', 'y', 'z'],
      ['a,b', 'say "yes"', 'two\r\nlines'],
      ['\'=HYPERLINK("http://127.0.0.1","x")', '-1.5', '猫'],
    ]);
  });
});
