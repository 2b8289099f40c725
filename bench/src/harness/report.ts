// What a run came to: a table for people, JSON for machines, and what makes the run a failure.
import { cpus } from 'node:os';

export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly must: number;
  readonly goal: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Least and greatest sample, where there were several. */
  readonly range?: readonly [min: number, max: number];
  /** Bounds of a figure that has some; shown, but a machine's speed fails no run. */
  readonly bound?: {
    readonly must: number;
    readonly goal: number;
    readonly better: 'more' | 'less';
  };
}

export interface Report {
  readonly ratios: readonly Ratio[];
  readonly figures: readonly Figure[];
  /** Checksums that did not come out and steps that did not finish: each voids the run. */
  readonly faults: readonly string[];
  /** What a reader should know, such as samples taken on a busy machine. */
  readonly notes: readonly string[];
}

export function mergeReports(reports: readonly Report[]): Report {
  return {
    ratios: reports.flatMap((report) => report.ratios),
    figures: reports.flatMap((report) => report.figures),
    faults: reports.flatMap((report) => report.faults),
    notes: reports.flatMap((report) => report.notes),
  };
}

/** Everything that makes the exit code non-zero, in sentences. */
export function findFailures(report: Report): readonly string[] {
  const slow = report.ratios
    .filter((ratio) => !(ratio.value >= ratio.must))
    .map((ratio) => `${ratio.name} is ${format(ratio.value)}x, under its must of ${ratio.must}x`);
  return [...report.faults, ...slow];
}

export function toJson(report: Report): string {
  const { ratios, figures } = report;
  const document = {
    node: process.version,
    cpu: cpuName(),
    ratios: ratios.map(({ name, value, must, goal }) => ({ name, value, must, goal })),
    figures: figures.map(({ name, value, unit }) => ({ name, value, unit })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

export function toTable(report: Report): string {
  const lines = [`node ${process.version}, ${cpus().length} x ${cpuName()}`];
  if (report.ratios.length > 0) {
    const rows = report.ratios.map((ratio) => [
      ratio.name,
      `${format(ratio.value)}x`,
      `${ratio.must}x`,
      `${ratio.goal}x`,
      verdict(ratio.value, { ...ratio, better: 'more' }),
    ]);
    lines.push('', ...layOut([['ratio', 'value', 'must', 'goal', ''], ...rows]));
  }
  if (report.figures.length > 0) {
    const rows = report.figures.map((figure) => [
      figure.name,
      format(figure.value),
      figure.unit,
      figure.range === undefined ? '' : `${format(figure.range[0])} to ${format(figure.range[1])}`,
      figure.bound === undefined ? '' : describeBound(figure.value, figure.bound),
    ]);
    lines.push('', ...layOut([['figure', 'median', 'unit', 'range', ''], ...rows]));
  }
  if (report.notes.length > 0) lines.push('', ...report.notes.map((note) => `note: ${note}`));
  return `${lines.join('\n')}\n`;
}

type Bound = NonNullable<Figure['bound']>;

function describeBound(value: number, bound: Bound): string {
  return `must ${format(bound.must)}, goal ${format(bound.goal)}: ${verdict(value, bound)}`;
}

function verdict(value: number, { must, goal, better }: Bound): string {
  const reaches = (level: number) => (better === 'more' ? value >= level : value <= level);
  if (reaches(goal)) return 'goal reached';
  return reaches(must) ? 'must reached' : 'UNDER MUST';
}

/** First column to the left, numbers to the right, words to the left. */
function layOut(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column > 0 && /^[\d.,]+x?$|^median$|^value$|^must$|^goal$/.test(cell)
          ? cell.padStart(widths[column]!)
          : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Three digits that matter or more, thousands apart. */
function format(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1000) return String(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

function cpuName(): string {
  return cpus()[0]?.model.trim() ?? 'unknown';
}
