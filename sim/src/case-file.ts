// A failing case on disk: scenario and commands, to be run again.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { encodeValue } from '@sibyl/engine';
import type { PlainCommand } from './naive/plain.ts';
import type { Scenario } from './scenario.ts';
import { decode, encode } from './text.ts';

export interface Case {
  readonly scenario: Scenario;
  readonly commands: readonly PlainCommand[];
}

/** One command per line, so that a case can be read and cut by hand. */
export function writeCase(path: string, found: Case): void {
  const lines = found.commands.map((command) => `    ${encode(command)}`);
  const text = `{\n  "scenario": ${encode(found.scenario)},\n  "commands": [\n${lines.join(',\n')}\n  ]\n}\n`;
  writeFileSync(path, text);
}

/** As a journal spells them, one to a line below what the lane began with; packed, because it is many. */
export function writeRecording(path: string, { scenario, commands }: Case): void {
  const { lane, parameters } = scenario;
  const lines = [{ lane, parameters }, ...commands].map((line) => encodeValue(line));
  writeFileSync(path, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
}

export function readCase(path: string): Case {
  const found = decode(readFileSync(path, 'utf8'));
  if (!isCase(found)) throw new Error(`${path} is no case: it needs scenario and commands`);
  return found;
}

/** Written by writeCase; the commands themselves are judged by the engine. */
function isCase(value: unknown): value is Case {
  return (
    typeof value === 'object' &&
    value !== null &&
    'scenario' in value &&
    'commands' in value &&
    Array.isArray(value.commands)
  );
}
