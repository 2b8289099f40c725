// Holds the package manifests to the licence, and the lockfile to every platform: npm ci refuses a lockfile that leaves
// out a package which some other machine would install.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Problem, readText } from './tree.ts';

const LICENCE = 'Apache-2.0';
const lockfile = 'package-lock.json';

interface Manifest {
  readonly license?: string;
  readonly workspaces?: readonly string[];
}

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export function checkManifests(root: string, files: readonly string[]): readonly Problem[] {
  if (!files.includes('package.json')) return [];
  return [...licences(root, files), ...platforms(root, files)];
}

function licences(root: string, files: readonly string[]): readonly Problem[] {
  const { workspaces = [] }: Manifest = JSON.parse(readText(root, 'package.json'));
  const manifests = ['package.json', ...workspaces.map((name) => `${name}/package.json`)];
  const unlicensed = manifests.filter((file) => {
    if (!files.includes(file)) return false;
    const { license }: Manifest = JSON.parse(readText(root, file));
    return license !== LICENCE;
  });
  const problems = unlicensed.map((file) => problem(file, `license must be "${LICENCE}"`));
  if (!existsSync(path.join(root, 'LICENSE'))) {
    problems.push(problem('package.json', 'the file LICENSE is missing'));
  }
  return problems;
}

function platforms(root: string, files: readonly string[]): readonly Problem[] {
  if (!files.includes(lockfile)) return [];
  const { packages }: { packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readText(root, lockfile),
  );
  const names = new Set(Object.keys(packages).map((at) => at.split('node_modules/').at(-1)));
  return Object.entries(packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => problem(lockfile, `${at} may want ${name}, which is not locked`)),
  );
}

function problem(file: string, message: string): Problem {
  return { file, line: 1, check: 'manifests', message };
}
