// Lets a process that the bench starts use every core, although its own processes are held to one.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The command line to start instead of the given one. */
export function onAllCores(program: string, args: readonly string[]): [string, ...string[]] {
  const all = `0-${cpus().length - 1}`;
  const canPin = spawnSync('taskset', ['-c', all, 'true'], { stdio: 'ignore' }).status === 0;
  return canPin ? ['taskset', '-c', all, program, ...args] : [program, ...args];
}
