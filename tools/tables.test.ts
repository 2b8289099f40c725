// Plants commands and events that no table knows into a copy of the real sources, and demands that they do not compile.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const workspaces = ['money', 'engine', 'contract', 'storage', 'lane', 'history', 'server', 'sim'];
const folder = copyOf(workspaces);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Planted {
  readonly breach: string;
  readonly file: string;
  readonly text: string;
  readonly by: string;
  /** What the compiler says of it, and where. */
  readonly complaint: RegExp;
}

const body = 'export type CommandBody =\n';
const event = 'export type Event =\n';

const ofCommands: readonly Planted[] = [
  {
    breach: 'a command without a row',
    file: 'engine/src/state/command.ts',
    text: body,
    by: `${body}  | { readonly type: 'planted' }\n`,
    complaint: /command-table\.ts.*planted/,
  },
  {
    breach: 'a command that the reference exchange does not know',
    file: 'sim/src/naive/exchange.ts',
    text: '  heartbeat,\n',
    by: '',
    complaint: /naive\/exchange\.ts.*heartbeat/,
  },
  {
    breach: 'a command whose letter no short text is written for',
    file: 'engine/src/command-table.ts',
    text: 'handle: heartbeat, ...WAY_OUT }',
    by: "handle: heartbeat, ...WAY_OUT, letter: 'h' }",
    complaint: /order-text\.ts/,
  },
];

const ofEvents: readonly Planted[] = [
  {
    breach: 'an event without a row',
    file: 'engine/src/state/event.ts',
    text: event,
    by: `${event}  | { readonly type: 'planted' }\n`,
    complaint: /event-table\.ts.*planted/,
  },
  {
    breach: 'a row that tells what it does not declare',
    file: 'server/src/notices/event-table.ts',
    text: "['market.halted', 'circuit_breaker.changed']",
    by: "['market.halted']",
    complaint: /event-table\.ts.*circuit_breaker\.changed/,
  },
  {
    breach: 'a row that tells everybody what is for its owner',
    file: 'server/src/notices/event-table.ts',
    text: "toOwner(['position.settled']",
    by: "toAll(['position.settled']",
    complaint: /event-table\.ts.*everybody/,
  },
];

// All are planted together: each is complained of in a place of its own, and to compile is what takes long.
let complaints = '';
beforeAll(() => {
  expect(compile()).toBe('');
  for (const { file: name, text, by } of [...ofCommands, ...ofEvents]) {
    const file = path.join(folder, name);
    const before = readFileSync(file, 'utf8');
    expect(before).toContain(text);
    writeFileSync(file, before.replace(text, by));
  }
  complaints = compile().replaceAll(/\n\s+/g, ' ');
}, 300_000);

test.each(ofCommands)('[NT1] $breach does not compile', ({ complaint }) => {
  expect(complaints).toMatch(complaint);
});

test.each(ofEvents)('[NT2] $breach does not compile', ({ complaint }) => {
  expect(complaints).toMatch(complaint);
});

/** What the compiler says of all that the tables reach; nothing if all is well. */
function compile(): string {
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  const args = ['-b', 'server', 'sim', '--pretty', 'false'];
  const { stdout, stderr, error } = spawnSync(tsc, args, { cwd: folder, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return stdout + stderr;
}

/** The sources of the workspaces with their configuration, which find each other and not the originals. */
function copyOf(names: readonly string[]): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'sibyl-tables-'));
  for (const file of ['package.json', 'tsconfig.base.json']) {
    cpSync(path.join(root, file), path.join(copy, file));
  }
  for (const name of names) {
    // What is built is copied with its times, so that only what a planted line touches is compiled again.
    const filter = (file: string): boolean => !file.endsWith('/node_modules');
    const options = { recursive: true, preserveTimestamps: true, filter };
    cpSync(path.join(root, name), path.join(copy, name), options);
  }
  const modules = path.join(copy, 'node_modules');
  mkdirSync(path.join(modules, '@sibyl'), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name === '@sibyl') continue;
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  for (const name of names) symlinkSync(path.join(copy, name), path.join(modules, '@sibyl', name));
  return copy;
}
