// The simulator's public surface: scenarios, runs and the comparison behind them.

export { type ApplyFunction, Comparison, Difference } from './compare.ts';
export { RunFailure, type RunOptions, type RunResult, run } from './run.ts';
export { type Scenario, scenarioOf } from './scenario.ts';
