// The attacks on the command line: a table of what each cost, brought and came to, and what mutations found beyond it.
import { Prng } from '../prng.ts';
import { type Attack, type Measured, type Report, succeeds, type Unit } from './attack.ts';
import { ATTACKS } from './roster.ts';
import { type Budget, type Found, search } from './search.ts';

/** Runs the attacks on rules whose ids begin so, each with so many mutations of its numbers; gives the exit code. */
export function runAttacks(rules: string, budget: Budget, seed: number): number {
  let broken = 0;
  let commands = 0;
  const attacks = ATTACKS.filter(({ rule }) => rule.startsWith(rules));
  const share = Math.ceil(budget.commands / Math.max(1, attacks.length));
  process.stdout.write(`${row(HEADINGS)}\n`);
  for (const [index, strategy] of attacks.entries()) {
    const found = search(strategy, { ...budget, commands: share }, new Prng(seed + index));
    commands += found.commands;
    if (succeeds(found.report)) broken += 1;
    process.stdout.write(`${row(cells(strategy, found.report))}\n${details(found)}`);
  }
  process.stdout.write(
    `${attacks.length} attacks, ${commands} commands (seed ${seed}): ${broken} succeed\n`,
  );
  return broken === 0 ? 0 : 1;
}

const HEADINGS = ['rule', 'attack', 'put in', 'took out', 'value', 'bound', 'succeeds'];
const WIDTHS = [-4, -44, 16, 16, 22, 22, 8];

function cells({ rule, name }: Attack, report: Report): readonly string[] {
  const { putIn, tookOut, value, bound, unit } = report;
  const verdict = succeeds(report) ? 'YES' : 'no';
  return [
    rule,
    name,
    money(putIn),
    money(tookOut),
    inUnit(value, unit),
    inUnit(bound, unit),
    verdict,
  ];
}

/** Negative widths are aligned to the left. */
function row(texts: readonly string[]): string {
  return texts
    .map((text, index) => {
      const width = WIDTHS[index]!;
      return width < 0 ? text.padEnd(-width) : text.padStart(width);
    })
    .join(' ')
    .trimEnd();
}

function details({ report, values, tries }: Found): string {
  const measured = Object.entries(report.measure).map(([name, value]) => `${name} ${shown(value)}`);
  const refused = [...report.refused].map(([code, count]) => `${code} ×${count}`);
  const numbers = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  const lines = [measured.join(', ')];
  if (refused.length > 0) lines.push(`refused: ${refused.join(', ')}`);
  if (tries > 0) lines.push(`best numbers of ${tries}: ${numbers.join(', ')}`);
  return lines.map((line) => `${' '.repeat(5)}${line}\n`).join('');
}

function shown(value: Measured): string {
  if (typeof value === 'bigint') return money(value);
  return Number.isInteger(value) ? `${value}` : value.toFixed(2);
}

function inUnit(value: bigint, unit: Unit): string {
  return unit === 'usdt' ? `${money(value)} USDT` : `${value} ${unit}`;
}

/** µUSDT as people write them. */
function money(micro: bigint): string {
  const sign = micro < 0n ? '-' : '';
  const size = micro < 0n ? -micro : micro;
  return `${sign}${size / 1_000_000n}.${`${size % 1_000_000n}`.padStart(6, '0')}`;
}
