// A real Chromium for tests: the one that is named, or the one that comes from npm, unpacked once beside it.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { root } from '../server-process.ts';

/** Throws if no browser can be started: a test that did not run has proven nothing. */
export async function launchChromium(): Promise<Browser> {
  const named = process.env.CHROME_PATH;
  if (named !== undefined) return launch(named, {});
  const folder = await unpack();
  const program = path.join(folder, 'chromium');
  try {
    return await launch(program, {});
  } catch (error) {
    // Machines without the libraries of a desktop get those that come with it.
    const LD_LIBRARY_PATH = path.join(folder, 'al2023', 'lib');
    return launch(program, { LD_LIBRARY_PATH }).catch(() => {
      throw error;
    });
  }
}

/** The sandbox of Chromium does not work for root, and the package's own flags switch web security off. */
function launch(
  executablePath: string,
  environment: Readonly<Record<string, string>>,
): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader'],
    env: { ...definedEnvironment(), ...environment },
  });
}

async function unpack(): Promise<string> {
  const folder = path.join(root, 'node_modules', '.cache', 'chromium');
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const before = process.env.TMPDIR;
  // The package unpacks into the temporary folder, wherever that is.
  process.env.TMPDIR = draft;
  try {
    await packed.executablePath();
    const home = path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
    await inflate(path.join(home, '..', 'bin', 'al2023.tar.br'));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  // Whole or not at all: a run that was cut off leaves a folder that nobody takes for a browser.
  renameSync(draft, folder);
  return folder;
}

function definedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
