// Writes the sources as plain JavaScript into a folder, so that another Node release can run the same program.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const WORKSPACES = ['money', 'engine', 'sim'];

/** Returns the path of the simulator's entry inside the folder. */
export function writePortable(folder: string): string {
  for (const workspace of WORKSPACES) {
    const source = join(ROOT, workspace, 'src');
    for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const target = join(folder, workspace, 'src', name.replace(/\.ts$/, '.mjs'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(
        target,
        portableText(readFileSync(join(source, name), 'utf8'), dirname(target), folder),
      );
    }
  }
  return join(folder, 'sim/src/main.mjs');
}

/** Types stripped (by name at run time, for older releases lack it), imports pointed at the .mjs files beside. */
function portableText(text: string, from: string, folder: string): string {
  return nodeModule
    .stripTypeScriptTypes(text)
    .replaceAll(/(from '\.[^']*)\.ts'/g, "$1.mjs'")
    .replaceAll(/from '@sibyl\/(\w+)'/g, (_, workspace: string) => {
      const path = relative(from, join(folder, workspace, 'src/index.mjs'));
      return `from '${path.startsWith('.') ? path : `./${path}`}'`;
    });
}
