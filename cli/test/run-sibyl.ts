// A command line run in the process of a test, which has the server loaded already.
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { main } from '../src/program.ts';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Catches what it says; the environment and what it reads from standard input are for this command alone. */
export async function runSibyl(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = '',
): Promise<Ended> {
  let output = '';
  let errors = '';
  const saved = { ...process.env };
  Object.assign(process.env, environment);
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    errors += String(chunk);
    return true;
  });
  const given = Readable.from([input]) as unknown as typeof process.stdin;
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(given);
  try {
    await main(args);
    return { code: Number(process.exitCode ?? 0), output, errors };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
    stdin.mockRestore();
    process.env = saved;
    process.exitCode = undefined;
  }
}
