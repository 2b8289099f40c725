// Turns the knobs of an attack at random, keeping what did best, to find numbers that nobody thought of.
import type { Prng } from '../prng.ts';
import { type Attack, type Knob, type Report, usualValues, type Values } from './attack.ts';

export interface Found {
  readonly values: Values;
  readonly report: Report;
  /** How many mutations were tried, and how many commands the engine took for them. */
  readonly tries: number;
  readonly commands: number;
}

/** So many mutations, and as many more as the engine needs to come to so many commands. */
export interface Budget {
  readonly mutations: number;
  readonly commands: number;
}

/** Mutations in vain before a search begins again with other numbers. */
const PATIENCE = 200;

/** The best of the usual numbers and of their mutations, each of the best before it, then of others drawn at random. */
export function search(strategy: Attack, budget: Budget, prng: Prng): Found {
  let values = usualValues(strategy);
  let report = strategy.run(values);
  let best = { values, report };
  let { commands } = report;
  let tries = 0;
  let inVain = 0;
  for (; tries < budget.mutations || commands < budget.commands; tries += 1) {
    const isNew = inVain === PATIENCE;
    const changed = isNew ? drawValues(strategy, prng) : mutate(strategy, values, prng);
    const outcome = strategy.run(changed);
    commands += outcome.commands;
    inVain = isNew ? 0 : inVain + 1;
    if (!isNew && margin(outcome) <= margin(report)) continue;
    inVain = 0;
    values = changed;
    report = outcome;
    if (margin(report) > margin(best.report)) best = { values, report };
  }
  return { ...best, tries, commands };
}

function drawValues({ knobs }: Attack, prng: Prng): Values {
  const drawn = Object.entries(knobs).map(([name, { low, high }]) => [
    name,
    prng.between(low, high),
  ]);
  return Object.fromEntries(drawn);
}

/** Bounds may depend on the numbers too: what counts is how far beyond its bound an attack comes. */
function margin({ value, bound }: Report): bigint {
  return value - bound;
}

/** Changes one number or several: anywhere in its range, or a little. */
function mutate(strategy: Attack, values: Values, prng: Prng): Values {
  const names = Object.keys(strategy.knobs);
  const changed: Record<string, number> = { ...values };
  const count = prng.between(1, Math.min(3, names.length));
  for (let index = 0; index < count; index += 1) {
    const name = prng.pick(names);
    changed[name] = turn(strategy.knobs[name]!, changed[name]!, prng);
  }
  return changed;
}

function turn({ low, high }: Knob, value: number, prng: Prng): number {
  if (prng.chance(1, 3)) return prng.between(low, high);
  const reach = Math.max(1, Math.floor((high - low) / prng.pick([4, 20, 100, 1000])));
  return Math.min(high, Math.max(low, value + prng.between(-reach, reach)));
}
