// Plants a violation of every rule and demands that the responsible tool refuses it, so no check can pass blind.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanTree } from './guards/clean-tree.ts';
import { Sandbox, type Tool } from './guards/sandbox.ts';
import { violations } from './guards/violations.ts';

const sandbox = new Sandbox(cleanTree);
afterAll(() => sandbox.remove());

const tools: readonly Tool[] = ['types', 'lint', 'tidy'];

test.each(tools)('[GD1] %s accepts the clean tree', (tool) => {
  const verdict = sandbox.judge(tool, {}, cleanTree);
  expect(verdict.output).not.toMatch(/bad\./);
  expect(verdict.passed, verdict.output).toBe(true);
});

const linted = violations.filter(({ tool }) => tool === 'lint');
let remarks: readonly string[] = [];
beforeAll(() => {
  remarks = sandbox.lintTogether(
    linted.map(({ files }) => files),
    cleanTree,
  );
});

test.each(linted.map((violation, index) => ({ ...violation, index })))(
  '[GD2] lint refuses: $breach',
  ({ index, names }) => {
    expect(remarks[index]).toMatch(names);
  },
);

test.each(violations.filter(({ tool }) => tool !== 'lint'))(
  '[GD2] $tool refuses: $breach',
  ({ tool, files, names }) => {
    const verdict = sandbox.judge(tool, files, cleanTree);
    expect(verdict.output).toMatch(names);
    expect(verdict.passed).toBe(false);
  },
);
