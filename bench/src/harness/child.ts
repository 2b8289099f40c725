// A process that runs tasks for the bench, pinned to one core where the system can do that.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Measurement } from '../suite.ts';

const ENTRY = path.resolve(import.meta.dirname, '..', 'main.ts');
const HEAP_MAX_MB = 8192;
/** Part of util-linux; where it is missing, processes run unpinned. */
const PIN_PROGRAM = 'taskset';

/** The process died under a task: what it would have measured is lost, the rest of the run is not. */
export class ChildEnded extends Error {
  readonly childName: string;

  constructor(childName: string, how: string) {
    super(`${childName} ended (${how})`);
    this.childName = childName;
  }
}

export class Child {
  readonly #process: ChildProcess;
  readonly #name: string;

  /** `flags` are for Node itself. */
  constructor(suite: string, name: string, flags: readonly string[]) {
    this.#name = name;
    const node = [
      process.execPath,
      ...flags,
      '--expose-gc',
      `--max-old-space-size=${HEAP_MAX_MB}`,
      ENTRY,
      '--child',
      suite,
    ];
    const [program = '', ...args] = canPin() ? [PIN_PROGRAM, '-c', '0', ...node] : node;
    this.#process = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** One task at a time; a process that dies under it fails the step with ChildEnded. */
  async run(task: string, ...args: readonly string[]): Promise<Measurement> {
    return await new Promise((resolve, reject) => {
      const onExit = (code: number | null, signal: string | null): void => {
        this.#process.off('message', onMessage);
        reject(new ChildEnded(this.#name, `${task}: ${signal ?? `code ${code}`}`));
      };
      const onMessage = (message: unknown): void => {
        this.#process.off('exit', onExit);
        resolve(decodeMeasurement(message));
      };
      this.#process.once('exit', onExit);
      this.#process.once('message', onMessage);
      this.#process.send({ task, args });
    });
  }

  end(): void {
    this.#process.kill();
  }
}

let pinning: boolean | undefined;

/** The load of the bench itself stays off that core only on machines with more than one. */
export function canPin(): boolean {
  pinning ??= spawnSync(PIN_PROGRAM, ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;
  return pinning;
}

function decodeMeasurement(message: unknown): Measurement {
  if (typeof message !== 'object' || message === null) throw new Error('a task answered nothing');
  const measurement: Record<string, number> = {};
  for (const [key, value] of Object.entries(message)) {
    if (typeof value !== 'number') throw new Error(`a task answered no number for ${key}`);
    measurement[key] = value;
  }
  return measurement;
}
