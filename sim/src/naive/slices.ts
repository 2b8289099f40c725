// Slices of a market's trading time, made anew from the list of all its prices (VD1).
import type { Weighed } from './middle-half.ts';
import type { PlainParameters } from './plain.ts';
import { at } from './pool.ts';

/** Prices that stood from one moment of journal time to another while the market traded. */
export interface PriceRun {
  readonly fromMs: number;
  readonly toMs: number;
  readonly prices: readonly bigint[];
  /** Depth on both sides of a book gave them. */
  readonly isDeep: boolean;
  /** Trading began with it: nothing before belongs to the same slice. */
  readonly begins: boolean;
}

export interface Slice extends Weighed {
  readonly atMs: number;
  readonly deepMs: number;
}

export function gridOf(plannedMs: number, rules: PlainParameters['fairValue']): number {
  const { sliceMinMs, sliceMaxMs, slicesPerLife } = rules;
  return Math.min(sliceMaxMs, Math.max(sliceMinMs, Math.floor(plannedMs / slicesPerLife)));
}

/** The runs cut on the grid, and those of one cell without a stop between them taken together. */
export function slicesOf(runs: readonly PriceRun[], gridMs: number): Slice[] {
  const groups: PriceRun[][] = [];
  for (const piece of runs.flatMap((run) => cut(run, gridMs))) {
    const group = groups[groups.length - 1];
    const last = group?.[group.length - 1];
    const isSame =
      last !== undefined &&
      !piece.begins &&
      cell(last.fromMs, gridMs) === cell(piece.fromMs, gridMs);
    if (isSame) group?.push(piece);
    else groups.push([piece]);
  }
  return groups.map(average);
}

function cell(ms: number, gridMs: number): number {
  return Math.floor(ms / gridMs);
}

function cut(run: PriceRun, gridMs: number): PriceRun[] {
  const pieces: PriceRun[] = [];
  for (let fromMs = run.fromMs; fromMs < run.toMs; ) {
    const toMs = Math.min(run.toMs, (cell(fromMs, gridMs) + 1) * gridMs);
    pieces.push({ ...run, fromMs, toMs, begins: run.begins && fromMs === run.fromMs });
    fromMs = toMs;
  }
  return pieces;
}

function average(group: readonly PriceRun[]): Slice {
  const first = at(group, 0);
  const ms = group.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const prices = first.prices.map((_, outcome) => {
    let sum = 0n;
    for (const run of group) sum += at(run.prices, outcome) * BigInt(run.toMs - run.fromMs);
    return sum / BigInt(ms);
  });
  const deepMs = group.reduce((sum, run) => sum + (run.isDeep ? run.toMs - run.fromMs : 0), 0);
  return { atMs: first.fromMs, ms, prices, deepMs };
}
