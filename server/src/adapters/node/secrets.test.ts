import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from './random.ts';
import { openSecrets } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sibyl-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('secrets', () => {
  it('[RE3.3] are made once, for the owner to read, and give the same digests after a restart', () => {
    const first = openSecrets(folder, systemRandom);
    const file = path.join(folder, 'secrets');
    expect(statSync(file).mode & 0o777).toBe(0o400);
    const second = openSecrets(folder, systemRandom);
    expect(second.digest('token', 'x')).toBe(first.digest('token', 'x'));
    expect(first.digest('cursor', 'x')).not.toBe(first.digest('token', 'x'));
    expect(readFileSync(file, 'utf8')).not.toContain(first.digest('token', 'x'));
  });

  it('[RE3.3] refuse a file that others can read, and one that is none', () => {
    openSecrets(folder, systemRandom);
    const file = path.join(folder, 'secrets');
    chmodSync(file, 0o644);
    expect(() => openSecrets(folder, systemRandom)).toThrow(/read by others/);
    chmodSync(file, 0o600);
    writeFileSync(file, 'abc');
    expect(() => openSecrets(folder, systemRandom)).toThrow(/not a secrets file/);
  });

  it('[RE3.3] compare without telling where', () => {
    const secrets = openSecrets(folder, systemRandom);
    expect(secrets.isEqual('abc', 'abc')).toBe(true);
    expect(secrets.isEqual('abc', 'abd')).toBe(false);
    expect(secrets.isEqual('abc', '')).toBe(false);
  });

  it('[RE3.3] tokens are of the length asked for and use every letter', () => {
    const text = systemRandom.token(5000);
    expect(text).toMatch(/^[0-9A-Za-z]{5000}$/);
    expect(new Set(text).size).toBe(62);
  });
});
