import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedSecrets } from '../adapters/node/secrets.ts';
import type { ApiError } from '../handling/handler.ts';
import { filterOf, openPage } from './cursor.ts';

const secrets = new KeyedSecrets(randomBytes(32));

function read(binding: string, cursor: string, by = secrets): unknown {
  try {
    return openPage(by, binding, { cursor }).after;
  } catch (error) {
    return (error as ApiError).code;
  }
}

describe('cursors', () => {
  const position = fc.array(fc.oneof(fc.string(), fc.maxSafeInteger()), {
    minLength: 1,
    maxLength: 4,
  });

  it('[PA16] give back the position they were made of', () => {
    fc.assert(
      fc.property(position, (place) => {
        const cursor = openPage(secrets, 'b', {}).cursor(place);
        expect(cursor).toMatch(/^[0-9A-Za-z_-]+$/);
        expect(read('b', cursor)).toEqual(place);
      }),
    );
  });

  it('[P8] are good for nobody else, no other list and no other server, and cannot be changed', () => {
    fc.assert(
      fc.property(position, fc.nat(), fc.integer({ min: 1, max: 63 }), (place, at, by) => {
        const cursor = openPage(secrets, 'live acc_1 listKeys []', {}).cursor(place);
        expect(read('live acc_2 listKeys []', cursor)).toBe('VALIDATION_FAILED');
        expect(read('live acc_1 listKeys [["status","all"]]', cursor)).toBe('VALIDATION_FAILED');
        expect(read('live acc_1 listKeys []', cursor, new KeyedSecrets(randomBytes(32)))).toBe(
          'VALIDATION_FAILED',
        );
        const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
        const index = at % cursor.length;
        const other = alphabet[(alphabet.indexOf(cursor[index]!) + by) % 64]!;
        const changed = `${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`;
        expect(read('live acc_1 listKeys []', changed)).toBe('VALIDATION_FAILED');
      }),
    );
  });

  it('[PA16] know the filter whatever the order of its parameters, and not the page', () => {
    expect(filterOf({ a: 1, b: 'x', cursor: 'c', limit: 3 })).toBe(
      filterOf({ limit: 9, b: 'x', a: 1 }),
    );
    expect(filterOf({ a: 1 })).not.toBe(filterOf({ a: '1' }));
  });

  it('[RQ20] ask for the whole list where nothing is said, and for a page where anything is', () => {
    expect(openPage(secrets, 'b', {}).limit).toBe(Number.POSITIVE_INFINITY);
    expect(openPage(secrets, 'b', { limit: 7 }).limit).toBe(7);
    const cursor = openPage(secrets, 'b', {}).cursor(['x']);
    expect(openPage(secrets, 'b', { cursor }).limit).toBe(50);
  });
});
