// The end of `npm test`: what somebody who sees only the last lines must learn from them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Summary, summarize } from '../scripts/test-report.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Fails in every way there is: a test, a hook before tests, a file that does not load, a test that is left out. */
const FILES = {
  'broken.test.ts': "throw new Error('cannot be read\\nat all');\n",
  'hook.test.ts':
    "import { beforeAll, it } from 'vitest';\nbeforeAll(() => { throw new Error('no stage'); });\nit('waits', () => {});\n",
  'mixed.test.ts':
    "import { describe, expect, it } from 'vitest';\ndescribe('a sum', () => {\n  it('holds', () => {});\n  it('fails', () => expect(1 + 1).toBe(3));\n});\n",
} as const;

function vitest(folder: string, ...files: readonly string[]): Summary {
  const report = path.join(folder, 'report.json');
  rmSync(report, { force: true });
  const program = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['run', '--root', folder, '--reporter=json', `--outputFile.json=${report}`];
  spawnSync(process.execPath, [program, ...options, ...files], { cwd: folder });
  return summarize(readFileSync(report, 'utf8'), folder);
}

describe('[IN5] the summary of the tests', () => {
  let folder = '';
  beforeAll(() => {
    // Below the tree, so that its vitest is found.
    mkdirSync(path.join(root, 'build'), { recursive: true });
    folder = mkdtempSync(path.join(root, 'build', 'test-report-'));
    writeFileSync(path.join(folder, 'vitest.config.ts'), 'export default {};\n');
    for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('names every failure at its end, by file, title and the first line of its message', () => {
    const { isSound, lines } = vitest(folder);
    expect(isSound).toBe(false);
    const failures = lines.slice(lines.findIndex((line) => line.startsWith('tests:')) + 1);
    expect(failures.filter((line) => line.includes('FAILED')).sort()).toEqual([
      '  FAILED broken.test.ts: outside of its tests',
      '  FAILED hook.test.ts: 1 tests did not run',
      '  FAILED hook.test.ts: outside of its tests',
      '  FAILED mixed.test.ts: a sum fails',
    ]);
    for (const message of ['cannot be read', 'no stage', 'expected 2 to be 3']) {
      expect(failures.filter((line) => line.includes(message))).toHaveLength(1);
    }
    expect(failures.join('\n')).not.toContain('at all');
  });

  it('is sound when all of them passed, and names files by how long they took', () => {
    const { isSound, lines } = vitest(folder, 'mixed.test.ts', '-t', 'holds');
    // The other test of the file was left out, which is no pass.
    expect(isSound).toBe(false);
    expect(lines.at(-1)).toBe('  FAILED mixed.test.ts: 1 tests did not run');
    writeFileSync(
      path.join(folder, 'good.test.ts'),
      "import { it } from 'vitest';\nit('is', () => {});\n",
    );
    const good = vitest(folder, 'good.test.ts');
    expect(good.isSound).toBe(true);
    expect(good.lines[0]).toBe('slowest test files');
    expect(good.lines[1]).toMatch(/^ +\d+\.\d s {2}good\.test\.ts$/);
    expect(good.lines.at(-1)).toBe('tests: 1 passed, 0 failed');
  });

  it('takes a report that is missing or empty for a failure', () => {
    expect(summarize(undefined, root).isSound).toBe(false);
    const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
    expect(summarize(JSON.stringify({ ...none, testResults: [] }), root).isSound).toBe(false);
  });
});
