// What vitest's own report says in a few lines: how many tests, which of them failed and why, which files took longest.
import path from 'node:path';

interface TestResult {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages?: readonly string[] | null;
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  /** What went wrong outside of its tests. */
  readonly message?: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly TestResult[];
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly FileResult[];
}

export interface Summary {
  readonly isSound: boolean;
  readonly lines: readonly string[];
}

const SLOWEST = 10;
const MESSAGE_LENGTH_MAX = 200;

/** The last lines are those that readers see first: the failures stand at the end. No report is a failure, never a pass. */
export function summarize(text: string | undefined, root: string): Summary {
  if (text === undefined) return { isSound: false, lines: ['tests: no report was written'] };
  const report: Report = JSON.parse(text);
  const { numPassedTests: passed, numFailedTests: failed, testResults } = report;
  const skipped = report.numPendingTests + report.numTodoTests;
  const failures = testResults.flatMap((file) => failuresOf(file, path.relative(root, file.name)));
  const skips = skipped === 0 ? '' : `, ${skipped} skipped`;
  const counts = `tests: ${passed} passed, ${failed} failed${skips}`;
  return {
    isSound: passed > 0 && failed === 0 && skipped === 0 && failures.length === 0,
    lines: [...slowest(testResults, root), counts, ...failures],
  };
}

function failuresOf(file: FileResult, name: string): readonly string[] {
  const lines = file.assertionResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ fullName, failureMessages }) => [
      `  FAILED ${name}: ${fullName}`,
      `         ${firstLine(failureMessages?.[0])}`,
    ]);
  const skipped = file.assertionResults.filter(({ status }) => isSkipped(status)).length;
  if (skipped > 0) lines.push(`  FAILED ${name}: ${skipped} tests did not run`);
  if (file.status === 'failed' && (lines.length === 0 || (file.message ?? '') !== '')) {
    lines.push(`  FAILED ${name}: outside of its tests`, `         ${firstLine(file.message)}`);
  }
  return lines;
}

function isSkipped(status: string): boolean {
  return status !== 'passed' && status !== 'failed';
}

function firstLine(message = ''): string {
  const [line = ''] = message.split('\n');
  if (line === '') return 'no message';
  return line.length > MESSAGE_LENGTH_MAX ? `${line.slice(0, MESSAGE_LENGTH_MAX)}…` : line;
}

function slowest(files: readonly FileResult[], root: string): readonly string[] {
  const timed = files.map(({ name, startTime, endTime }) => ({
    file: path.relative(root, name),
    seconds: (endTime - startTime) / 1_000,
  }));
  timed.sort((one, other) => other.seconds - one.seconds);
  const lines = timed
    .slice(0, SLOWEST)
    .map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`);
  return ['slowest test files', ...lines];
}
