import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flip, flipsIn } from '../../../test/faults/flip-regions.ts';
import { systemRandom } from './random.ts';
import { KeyedSecrets, openSecrets } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sibyl-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('secrets', () => {
  it('[SR1] are made once, for the owner to read, and give the same digests after a restart', () => {
    const first = openSecrets(folder, systemRandom);
    const file = path.join(folder, 'secrets');
    expect(statSync(file).mode & 0o777).toBe(0o400);
    const second = openSecrets(folder, systemRandom);
    expect(second.digest('token', 'x')).toBe(first.digest('token', 'x'));
    expect(first.digest('cursor', 'x')).not.toBe(first.digest('token', 'x'));
    expect(readFileSync(file, 'utf8')).not.toContain(first.digest('token', 'x'));
  });

  it('[SR1] give the same digests in every build', () => {
    // By openssl dgst -mac HMAC: of `sibyl token` under 32 bytes of 7, then of `x` under that.
    const expected = 'rdfNO1pfCIyy_ZwUaOYl2148QfpnJm8gsQiZPz3SjzU';
    expect(new KeyedSecrets(new Uint8Array(32).fill(7)).digest('token', 'x')).toBe(expected);
  });

  it('[SR1] refuse a file that others can read, and one that is none', () => {
    openSecrets(folder, systemRandom);
    const file = path.join(folder, 'secrets');
    chmodSync(file, 0o644);
    expect(() => openSecrets(folder, systemRandom)).toThrow(/read by others/);
    chmodSync(file, 0o600);
    writeFileSync(file, 'abc');
    expect(() => openSecrets(folder, systemRandom)).toThrow(/not a secrets file/);
  });

  it('[DB10] refuse a file with a flipped bit, or come to the very same digests', () => {
    const expected = openSecrets(folder, systemRandom).digest('token', 'x');
    const file = path.join(folder, 'secrets');
    chmodSync(file, 0o600);
    let refused = 0;
    for (const one of flipsIn(file, Number.MAX_SAFE_INTEGER)) {
      flip(one);
      try {
        expect([one.offset, openSecrets(folder, systemRandom).digest('token', 'x')]).toEqual([
          one.offset,
          expected,
        ]);
      } catch (error) {
        expect(String(error)).toMatch(/secrets is damaged|not a secrets file/);
        refused += 1;
      }
      flip(one);
    }
    expect(refused).toBeGreaterThanOrEqual(80);
  });

  it('[DB10] refuse a file without a check', () => {
    writeFileSync(path.join(folder, 'secrets'), `${'ab'.repeat(32)}\n`, { mode: 0o400 });
    expect(() => openSecrets(folder, systemRandom)).toThrow(/secrets is damaged/);
  });

  it('[DB10] are not made anew beside users that were made with others', () => {
    expect(() => openSecrets(folder, systemRandom, true)).toThrow(/secrets is missing.*backup/);
    expect(existsSync(path.join(folder, 'secrets'))).toBe(false);
    openSecrets(folder, systemRandom);
    openSecrets(folder, systemRandom, true);
  });

  it('[SR2] compare without telling where', () => {
    const secrets = openSecrets(folder, systemRandom);
    expect(secrets.isEqual('abc', 'abc')).toBe(true);
    expect(secrets.isEqual('abc', 'abd')).toBe(false);
    expect(secrets.isEqual('abc', '')).toBe(false);
  });

  it('[SR2] tokens are of the length asked for and use every letter', () => {
    const text = systemRandom.token(5000);
    expect(text).toMatch(/^[0-9A-Za-z]{5000}$/);
    expect(new Set(text).size).toBe(62);
  });
});
