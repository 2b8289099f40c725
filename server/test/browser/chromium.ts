// A real Chromium for tests: the one that is named, or the one that comes from npm, unpacked once beside it. That one is for
// x64; elsewhere it is Debian's, unpacked in the same way. Both are the build without windows, which takes half the time.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { packagesMissingFor, unpackPackages } from '../debian-packages.ts';
import { root } from '../server-process.ts';

const CACHE = path.join(root, 'node_modules', '.cache');
const WINDOWLESS = 'chromium-headless-shell';
const INSTALLED = `/usr/bin/${WINDOWLESS}`;
const UNPACKER = path.join(import.meta.dirname, 'unpack-chromium.ts');

/**
 * The sandbox of Chromium does not work for root, and the package's own flags switch web security off. Without a graphics
 * card, a processor that plays one costs twice what the pages themselves cost: they are drawn without.
 */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu'];

/** A browser starts slowly beside other tests. */
const LAUNCH_MS = 120_000;

/** Throws if no browser can be started: a test that did not run has proven nothing. */
export function launchChromium(): Promise<Browser> {
  return start(ARGUMENTS);
}

/**
 * For pages that nobody looks at and that are left soon. They are laid out and judged as ever, and no dot of them is drawn:
 * that is a fifth of what they cost. Scripts run as ever too, but are not compiled a second time to run faster: that pays only
 * in pages that stay. A process less is one less to start and to talk through.
 */
const UNSEEN = [
  '--force-gpu-mem-available-mb=0',
  '--js-flags=--no-opt --no-maglev',
  '--in-process-gpu',
];

/** One for all journeys of a thread: what is said to a browser of several goes through a process more. */
export function launchUnseenChromium(): Promise<Browser> {
  return start([...ARGUMENTS, ...UNSEEN]);
}

/** Unpacks it, if need be, while there is time for that. */
export async function prepareChromium(): Promise<void> {
  await programs();
}

/** The first program that starts. */
async function start(args: string[]): Promise<Browser> {
  let failure: unknown = null;
  for (const program of await programs()) {
    try {
      return await chromium.launch({ ...program, args });
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

async function programs(): Promise<readonly LaunchOptions[]> {
  const named = process.env.CHROME_PATH;
  if (named !== undefined) return [optionsFor(named)];
  if (process.arch !== 'x64') return [otherProgram()];
  const folder = await unpack();
  const program = path.join(folder, 'chromium');
  // Machines without the libraries of a desktop get those that come with it.
  const LD_LIBRARY_PATH = path.join(folder, 'al2023', 'lib');
  return [optionsFor(program), optionsFor(program, { LD_LIBRARY_PATH })];
}

/** For processors that the package from npm is not made for. */
function otherProgram(): LaunchOptions {
  if (existsSync(INSTALLED)) return optionsFor(INSTALLED);
  const folder = path.join(CACHE, WINDOWLESS);
  const program = path.join(folder, 'usr/lib/chromium', WINDOWLESS);
  if (!existsSync(program)) {
    const draft = `${folder}.${process.pid}`;
    const failure = unpackPackages(packagesMissingFor(WINDOWLESS), draft);
    if (failure !== null) throw new Error(`no Chromium for ${process.arch}: ${failure}`);
    renameSync(draft, folder);
  }
  const libraries = globSync('{usr/,}lib/**/*.so*', { cwd: folder });
  const folders = new Set(libraries.map((file) => path.join(folder, path.dirname(file))));
  return optionsFor(program, { LD_LIBRARY_PATH: [...folders].join(':') });
}

function optionsFor(
  executablePath: string,
  environment: Readonly<Record<string, string>> = {},
): LaunchOptions {
  return {
    executablePath,
    headless: true,
    env: { ...definedEnvironment(), ...environment },
    timeout: LAUNCH_MS,
  };
}

async function unpack(): Promise<string> {
  const folder = path.join(CACHE, 'chromium');
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  await promisify(execFile)(process.execPath, [UNPACKER], {
    env: { ...definedEnvironment(), TMPDIR: draft },
  });
  // Whole or not at all: a run that was cut off leaves a folder that nobody takes for a browser.
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another may have been first.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function definedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
