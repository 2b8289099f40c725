// A program of its own, run to its end, with all that it said.
import { type SpawnOptions, spawn } from 'node:child_process';

export interface EndedProgram {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export function runProgram(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<EndedProgram> {
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output, errors })));
}
