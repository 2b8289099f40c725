// Passwords that a command needs: typed at a terminal without being shown, else a line of standard input each. Never
// arguments, which every user of the machine can see and the shell keeps.

import { createInterface } from 'node:readline';
import { password } from '@clack/prompts';
import { Unusable } from './run.ts';

/** In the order in which they are named, `new_…` twice at a terminal. */
export async function askSecrets(names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  return process.stdin.isTTY ? typedSecrets(names) : linesOfInput(names);
}

/** One secret after the other, where the first decides whether a second is needed. */
export class SecretLines {
  #input: { readonly lines: AsyncIterator<string>; close(): void } | null = null;

  async next(name: string): Promise<string> {
    if (process.stdin.isTTY) return (await typedSecrets([name]))[0] ?? '';
    if (this.#input === null) {
      const input = createInterface({ input: process.stdin });
      this.#input = { lines: input[Symbol.asyncIterator](), close: () => input.close() };
    }
    const { value, done } = await this.#input.lines.next();
    if (done !== true && value !== '') return value;
    const label = labelOf(name).toLowerCase();
    throw new Unusable(`no ${label}: type it at a terminal, or give a line of standard input`);
  }

  close(): void {
    this.#input?.close();
  }
}

/** Empty for whoever gave up. */
export async function typedAtTerminal(message: string): Promise<string> {
  // The answer of a command goes to standard output, and may be read by a program.
  const typed = await password({ message, output: process.stderr });
  return typeof typed === 'string' ? typed : '';
}

async function typedSecrets(names: readonly string[]): Promise<readonly string[]> {
  const typed: string[] = [];
  for (const name of names) {
    const label = labelOf(name);
    const secret = await typedAtTerminal(label);
    if (secret === '') throw new Unusable(`no ${label.toLowerCase()} was typed`);
    if (name.startsWith('new_') && (await typedAtTerminal(`${label} once more`)) !== secret) {
      throw new Unusable(`the ${label.toLowerCase()} was not typed twice alike`);
    }
    typed.push(secret);
  }
  return typed;
}

async function linesOfInput(names: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const input = createInterface({ input: process.stdin });
  for await (const line of input) {
    lines.push(line);
    if (lines.length === names.length) break;
  }
  input.close();
  const missing = names.findIndex((_name, at) => (lines[at] ?? '') === '');
  if (missing < 0) return lines;
  const all = names.map((name) => labelOf(name).toLowerCase()).join(', then ');
  throw new Unusable(
    `no ${labelOf(names[missing] ?? '').toLowerCase()}: type it at a terminal, or give a line of standard input each: ${all}`,
  );
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
