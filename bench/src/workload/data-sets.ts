// The named workloads, and the result that every engine must come to or its number is void.
import { generate, type Workload, type WorkloadShape } from './generate.ts';
import type { Tally } from './reference-book.ts';

export type DataSetName = 'W1' | 'W1-100k' | 'W1000' | 'W1000-100k' | 'W1M';

export interface DataSet {
  readonly name: DataSetName;
  readonly shape: WorkloadShape;
  readonly required: Tally;
}

const MILLION = 1_000_000;

export const DATA_SETS: Readonly<Record<DataSetName, DataSet>> = {
  W1: {
    name: 'W1',
    shape: { symbols: 1, prefill: 0, mixed: MILLION },
    required: { fills: 499_349, quantity: 20_158_858, notional: 99_983_569_905, open: 99_120 },
  },
  'W1-100k': {
    name: 'W1-100k',
    shape: { symbols: 1, prefill: 0, mixed: MILLION / 10 },
    required: { fills: 49_881, quantity: 2_021_563, notional: 10_114_053_589, open: 9_785 },
  },
  W1000: {
    name: 'W1000',
    shape: { symbols: 1000, prefill: 0, mixed: MILLION },
    required: { fills: 467_505, quantity: 19_196_433, notional: 95_986_933_747, open: 125_548 },
  },
  'W1000-100k': {
    name: 'W1000-100k',
    shape: { symbols: 1000, prefill: 0, mixed: MILLION / 10 },
    required: { fills: 34_081, quantity: 1_463_871, notional: 7_318_311_436, open: 22_186 },
  },
  W1M: {
    name: 'W1M',
    shape: { symbols: 1, prefill: MILLION, mixed: MILLION },
    required: { fills: 505_504, quantity: 20_316_981, notional: 99_830_868_496, open: 1_092_390 },
  },
};

export function findDataSet(name: string): DataSet {
  for (const dataSet of Object.values(DATA_SETS)) if (dataSet.name === name) return dataSet;
  throw new Error(`unknown data set: ${name}`);
}

/** Takes a second at most, so nothing is kept on disk. */
export function loadWorkload(dataSet: DataSet): Workload {
  const workload = generate(dataSet.shape);
  const differences = compareTally(workload.tally, dataSet.required);
  if (differences.length > 0) {
    throw new Error(`the generator drew another ${dataSet.name}: ${differences.join(', ')}`);
  }
  return workload;
}

/** One sentence for each number that is not as it must be. */
export function compareTally(actual: Tally, required: Tally): readonly string[] {
  const keys = ['fills', 'quantity', 'notional', 'open'] as const;
  return keys
    .filter((key) => actual[key] !== required[key])
    .map((key) => `${key} ${actual[key]} instead of ${required[key]}`);
}
