import { limits } from '@sibyl/contract';
import { expect, it } from 'vitest';
import { NonceBook } from './nonce-book.ts';

const { windowSec } = limits.signing;

it('[HM3] keeps a nonce for as long as a request with it could be in time', () => {
  // A timestamp as far ahead as may be: in time from the first moment of one second to the last of another.
  const firstMs = 599_950;
  const lastMs = firstMs + 2 * windowSec * 1000 + 999;
  for (const startMs of [0, 300_000, firstMs]) {
    const book = new NonceBook();
    const key = book.spenderOf('key');
    book.spend(key, 'before', startMs);
    expect(book.spend(key, 'nonce', firstMs)).toBe('spent');
    expect(book.spend(key, 'nonce', lastMs)).toBe('reused');
  }
});

it('[HM3] forgets a nonce in the end', () => {
  const book = new NonceBook();
  const key = book.spenderOf('key');
  expect(book.spend(key, 'nonce', 0)).toBe('spent');
  expect(book.spend(key, 'nonce', 1_300_000)).toBe('spent');
});

it('[HM3] keeps the nonces of keys apart, and those of one key through a turn of the spans', () => {
  const book = new NonceBook();
  const keptMs = (limits.signing.nonceSec + 1) * 1000;
  const spent = (key: string, at: number, nowMs: number) =>
    book.spend(book.spenderOf(key), `nonce-${at}`, nowMs);
  for (let at = 0; at < 5_000; at += 1) expect(spent('one', at, at)).toBe('spent');
  for (let at = 0; at < 5_000; at += 1) expect(spent('other', at, 5_000)).toBe('spent');
  // The first span has turned: what it had is still known, and known for the right key.
  for (let at = 0; at < 5_000; at += 1) expect(spent('one', at, keptMs)).toBe('reused');
  expect(spent('third', 1, keptMs)).toBe('spent');
  expect(spent('one', 5_000, keptMs)).toBe('spent');
  expect(spent('one', 0, 2 * keptMs)).toBe('spent');
  expect(spent('one', 5_000, 2 * keptMs)).toBe('reused');
});
