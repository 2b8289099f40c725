import { formatMicro } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pieceOf, TextSheet } from './text-sheet.ts';

/** What is written as a body; its length is written before it. */
function written(write: (sheet: TextSheet) => void): string {
  const sheet = new TextSheet();
  sheet.begin();
  sheet.plain('length ');
  sheet.openLength();
  sheet.plain(' of ');
  sheet.openBody();
  write(sheet);
  const bytes = sheet.close().toString();
  const head = /^length ([0-9]+) of /.exec(bytes)!;
  const body = bytes.slice(head[0].length);
  expect(head[1]).toBe(`${Buffer.byteLength(body)}`);
  return body;
}

describe('a sheet of text', () => {
  it('[TX1] writes millionths as money does', () => {
    const edges = [
      0,
      1,
      999_999,
      1_000_000,
      999_999_999_999_999,
      1e15,
      Number.MAX_SAFE_INTEGER,
      -1,
    ];
    const value = fc.oneof(
      fc.constantFrom(...edges),
      fc.maxSafeInteger(),
      // Beside a whole number a quotient is rounded.
      fc
        .tuple(fc.integer({ min: 1, max: 9_007_199_254 }), fc.constantFrom(-1, 0, 1))
        .map(([whole, by]) => whole * 1_000_000 + by),
    );
    const check = (micro: number): void => {
      expect(written((sheet) => sheet.micro(micro))).toBe(formatMicro(micro));
    };
    for (const edge of edges) check(edge);
    fc.assert(fc.property(value, check), { numRuns: 5000 });
  });

  it('[TX1] writes numbers of ids in sixteen digits', () => {
    const value = fc.oneof(
      fc.constantFrom(0, 9, 10, 999_999_999, 1_000_000_000, 4_294_967_296, 9_007_199_254_740_991),
      fc.maxSafeNat(),
      fc.nat(),
    );
    fc.assert(
      fc.property(value, (count) => {
        expect(written((sheet) => sheet.sixteen(count))).toBe(`${count}`.padStart(16, '0'));
      }),
    );
  });

  it('[TX1] writes any text as JSON does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        expect(written((sheet) => sheet.quoted(text))).toBe(JSON.stringify(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('[TX1] grows with what is written, and keeps it', () => {
    const line = pieceOf('0123456789abcdef');
    const long = 'é'.repeat(5000);
    const text = written((sheet) => {
      for (let count = 0; count < 10_000; count += 1) {
        sheet.bytes(line);
        sheet.micro(count);
        sheet.plain(' ');
        if (count % 1000 === 0) sheet.quoted(long);
      }
    });
    let expected = '';
    for (let count = 0; count < 10_000; count += 1) {
      expected += `0123456789abcdef${formatMicro(count)} `;
      if (count % 1000 === 0) expected += JSON.stringify(long);
    }
    expect(text === expected).toBe(true);
  });

  it('[TX1] writes counts of any size', () => {
    const edges = [0, 9, 10, 2_147_483_647, 2_147_483_648, 1_767_225_600_000, 2 ** 53 - 1, -1, 0.5];
    const value = fc.oneof(fc.constantFrom(...edges), fc.maxSafeInteger(), fc.nat());
    fc.assert(
      fc.property(value, (count) => {
        expect(written((sheet) => sheet.count(count))).toBe(`${count}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('[P3] writes any text as UTF-8, counts its characters, and says if it will not come back', () => {
    const long = { minLength: 40, maxLength: 200 };
    const text = fc.oneof(
      ...[fc.string(), fc.string(long), fc.string({ unit: 'binary' })],
      ...[fc.string({ unit: 'binary', ...long }), fc.string(long).map((plain) => `${plain}é`)],
      ...[fc.constant('x\ud800y'), fc.constant(`${'x'.repeat(60)}\ud800`)],
    );
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const sheet = new TextSheet();
        sheet.begin();
        for (const one of texts) expect(sheet.text(one)).toBe(one.isWellFormed());
        const whole = texts.map((one) => one.toWellFormed()).join('');
        expect(Buffer.from(sheet.written()).toString()).toBe(whole);
        expect(sheet.offset).toBe(Buffer.byteLength(whole));
        expect(sheet.characters).toBe(whole.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('[P3] goes back to an offset, and fills in a count where room was left for it', () => {
    const sheet = new TextSheet();
    sheet.begin();
    sheet.text('ä ');
    const { offset, characters } = sheet;
    sheet.text('dropped: ö');
    sheet.goBack(offset, characters);
    const lengthAt = sheet.openCount(4);
    sheet.space();
    const before = sheet.characters;
    sheet.text('ü!');
    sheet.closeCount(lengthAt, 4, sheet.characters - before);
    expect(Buffer.from(sheet.written()).toString()).toBe('ä 0002 ü!');
    expect(sheet.characters).toBe(9);
    expect(() => sheet.closeCount(lengthAt, 4, 10_000)).toThrow(/more than 4 digits/);
  });

  it('[TX1] says how long a body is, however long', () => {
    for (const length of [0, 1, 9, 10, 11, 99, 100, 12_345, 1_000_000]) {
      expect(written((sheet) => sheet.plain('x'.repeat(length)))).toHaveLength(length);
    }
  });
});
