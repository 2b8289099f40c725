import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runStore, runStoreEnds, type StoreStep } from './store-ends.ts';
import { findStrace } from './strace.ts';

const SEQUENCES = 30;
const SEED = 2;

describe('the ends of one store', () => {
  it('[DB7][DB16] kills and exits at each step of working, closing and opening refuse no start and lose nothing', async () => {
    const report = await runStoreEnds(SEQUENCES, SEED);
    console.log({ seed: SEED, ...report });
    expect(report.acknowledged).toBeGreaterThan(SEQUENCES / 2);
    expect(report.warned).toBeGreaterThan(0);
    expect(report.closed).toBeGreaterThan(0);
  });
});

describe('a store whose disk fails', () => {
  const strace = findStrace();
  if (strace.program === null && process.platform !== 'linux') {
    it(`[DB17] could not be tried: ${strace.missing}`, () => {
      console.warn(`a failing fsync of a store was NOT tested: ${strace.missing}`);
    });
    return;
  }

  it.each([8, 9, 10])('[DB17] EIO at fsync %i refuses every later write', async (call) => {
    expect(strace.missing).toBeNull();
    const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-store-fails-'));
    const plan = (steps: readonly StoreStep[]) =>
      ({ kind: 'rows', folder, steps, end: { during: 'never', call: 0, by: 'exit' } }) as const;
    try {
      await runStore(plan(['synced']));
      const steps = Array.from({ length: 12 }, (): StoreStep => 'synced');
      const inject = `inject=fsync,fdatasync:error=EIO:when=${call}`;
      const { words } = await runStore(plan(steps), [
        ...[strace.program!, '-f', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', inject],
      ]);
      const said = words.filter(({ kind }) => kind === 'kept' || kind === 'refused');
      const kept = said.filter(({ kind }) => kind === 'kept').length;
      expect(kept).toBeGreaterThan(0);
      expect(said.length).toBe(steps.length);
      expect(new Set(said.slice(kept).map((word) => JSON.stringify(word))).size).toBe(1);
      expect(said.at(-1)).toMatchObject({
        kind: 'refused',
        name: 'StoreFailed',
        message: expect.stringMatching(
          /^store\.db in .* cannot be written after an I\/O error .*: check the disk, then restart the server$/,
        ),
      });
      const { words: after } = await runStore(plan([]));
      const [opened] = after;
      expect(opened).toMatchObject({ kind: 'open' });
      expect(opened?.kind === 'open' && opened.count).toBeGreaterThan(kept);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
