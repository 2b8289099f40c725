// Runs the named checks, or all of them, shows each one's output, and closes with one summary.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type Check, checks, root, testReport } from './checks.ts';
import { summarize } from './test-report.ts';

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
const testsAreSound = !selected.some((check) => check.name === 'tests') || reportTests();
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

function reportTests(): boolean {
  const report = existsSync(testReport) ? readFileSync(testReport, 'utf8') : undefined;
  const { isSound, lines } = summarize(report, root);
  console.log(lines.join('\n'));
  return isSound;
}
