// What a suite of measurements is: tasks that run in processes of their own, and steps that call them in order.
import type { Child } from './harness/child.ts';
import type { Report } from './harness/report.ts';

/** What one task measured: plain numbers by name, so that they cross the process boundary unchanged. */
export type Measurement = Readonly<Record<string, number>>;

/** Runs in a child process, pinned and with gc exposed. */
export type Task = (args: readonly string[]) => Promise<Measurement>;

export interface Suite {
  readonly name: string;
  /** One line for --help. */
  readonly about: string;
  readonly tasks: Readonly<Record<string, Task>>;
  plan(options: PlanOptions): Plan;
}

export interface PlanOptions {
  readonly rounds: number;
  /** Small data sets only. */
  readonly quick: boolean;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Processes that run on Node as it comes: those of peers. Ours have the flags that `npm start` has. */
  readonly plain?: readonly string[];
  /** Processes that are our server; they have the flags for it beside the others. */
  readonly serving?: readonly string[];
  /** Called once all steps have run. */
  report(): Report;
}

export interface Step {
  readonly label: string;
  /** Roughly how long it takes; only the progress display depends on it. */
  readonly expectedSeconds: number;
  run(context: StepContext): Promise<void>;
}

export interface StepContext {
  /** The process of that name, started when first asked for; it keeps its compiled code between tasks. */
  child(name: string): Child;
  /** Ends a process and frees what it holds. */
  release(name: string): void;
  /** Waits until nobody else uses the machine; false when it stayed busy. */
  waitUntilQuiet(): Promise<boolean>;
}
