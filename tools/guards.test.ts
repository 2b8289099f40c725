// Plants a violation of every rule and demands that the responsible tool refuses it, so no check can pass blind.
import { afterAll, expect, test } from 'vitest';
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

test.each(violations)('[GD2] $tool refuses: $breach', ({ tool, files, names }) => {
  const verdict = sandbox.judge(tool, files, cleanTree);
  expect(verdict.output).toMatch(names);
  expect(verdict.passed).toBe(false);
});
