// Shrinking keeps the failure and drops the rest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply } from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import { readCase, writeCase } from './case-file.ts';
import type { Recorded } from './recorded.ts';
import { recordCommands, repeat } from './run.ts';
import { scenarioOf } from './scenario.ts';
import { shrink } from './shrink.ts';
import { encode } from './text.ts';

const OPTIONS = { naive: false, every: 0, snapshotEvery: 0 };

describe('shrinking', () => {
  it('[SI3] cuts a run down to the commands that the failure needs and keeps it on disk', () => {
    const scenario = scenarioOf(2);
    const faulty: typeof apply = (state, command) => {
      const outcome = apply(state, command);
      for (const event of outcome.events) {
        if (event.type === 'trade_executed' && event.source === 'book')
          throw new Error('planted: a book fill');
      }
      return outcome;
    };
    const recorded = recordCommands(scenario, 600, OPTIONS);
    const again = (some: readonly Recorded[]) =>
      repeat(scenario, some, { ...OPTIONS, apply: faulty });
    const startedMs = Date.now();
    const shrunk = shrink(recorded, (some) => again(some).failure?.message ?? null, {
      isTimeUp: () => Date.now() - startedMs > 60_000,
    });
    const { commands: shorter, failure } = again(shrunk);
    expect(failure?.message).toContain('planted: a book fill');
    expect(shorter.length).toBeLessThan(30);
    expect(shorter.map((command) => command.seq)).toEqual(shorter.map((_, index) => index + 1));
    const folder = mkdtempSync(join(tmpdir(), 'sim-case-'));
    try {
      writeCase(join(folder, 'case.json'), { scenario, commands: shorter });
      const read = readCase(join(folder, 'case.json'));
      expect(encode(read)).toBe(encode({ scenario, commands: shorter }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
