// Runs the named checks, or all of them, shows each one's output, and closes with one summary.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type Check, checks, root, testReport } from './checks.ts';

type Outcome = { readonly check: Check; readonly passed: boolean; readonly seconds: string };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== '--static' && !checks.some((c) => c.name === name));
if (unknown.length > 0) {
  const known = checks.map((check) => check.name).join(' ');
  console.error(`unknown check: ${unknown.join(' ')}; known: ${known}, or --static`);
  process.exit(2);
}
const names = new Set(asked);
const selected = checks.filter(
  (check) => names.size === 0 || names.has(check.name) || (names.has('--static') && check.isStatic),
);

rmSync(testReport, { force: true });
const outcomes = selected.map(runCheck);
console.log('\nchecks');
for (const { check, passed, seconds } of outcomes) {
  console.log(
    `  ${passed ? 'ok    ' : 'FAILED'} ${check.name.padEnd(9)} ${seconds.padStart(6)} s  ${check.proves}`,
  );
}
const failures = outcomes.filter((outcome) => !outcome.passed).length;
console.log(`checks: ${outcomes.length - failures} passed, ${failures} failed`);
const testsAreSound = reportTests(selected.some((check) => check.name === 'tests'));
process.exitCode = failures === 0 && testsAreSound ? 0 : 1;

function runCheck(check: Check): Outcome {
  console.log(`\n── ${check.name}: ${check.command.join(' ')}`);
  const started = performance.now();
  const [program, ...args] = check.command;
  const result = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (result.error !== undefined) console.error(`${program}: ${result.error.message}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return { check, passed: result.status === 0, seconds };
}

// The count comes from vitest's own report; a missing report or an empty one is a failure, never a pass.
function reportTests(expected: boolean): boolean {
  if (!expected) return true;
  const counts = existsSync(testReport) ? readCounts(readFileSync(testReport, 'utf8')) : undefined;
  if (counts === undefined) {
    console.log('tests: no report was written');
    return false;
  }
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`;
  console.log(`tests: ${counts.passed} passed, ${counts.failed} failed${skipped}`);
  return counts.passed > 0 && counts.failed === 0 && counts.skipped === 0;
}

function readCounts(text: string): { passed: number; failed: number; skipped: number } | undefined {
  const report: unknown = JSON.parse(text);
  if (typeof report !== 'object' || report === null) return undefined;
  const count = (key: string): number => {
    const value: unknown = Reflect.get(report, key);
    return typeof value === 'number' ? value : Number.NaN;
  };
  return {
    passed: count('numPassedTests'),
    failed: count('numFailedTests'),
    skipped: count('numPendingTests') + count('numTodoTests'),
  };
}
