// Makes the package as it is published: JavaScript with types, the parts of money inside, nothing of this tree needed.
//   npm run package -w @sibyl/sdk, then npm pack in sdk/build/package

import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const target = path.join(root, 'sdk', 'build', 'package');

/** Workspaces whose sources run, and those whose types are needed: each becomes a folder of the package. */
const running = ['sdk', 'money'];
const declarations: Readonly<Record<string, string>> = {
  sdk: 'sdk/build/types',
  money: 'money/build/types',
  contract: 'contract/build/src',
};

// The types are the compiler's; where they are up to date this takes a moment.
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
execFileSync(process.execPath, [compiler, '-b', 'sdk/tsconfig.json'], {
  cwd: root,
  stdio: 'inherit',
});
rmSync(target, { recursive: true, force: true });
for (const name of running) {
  const folder = path.join(root, name, 'src');
  for (const file of globSync('**/*.ts', { cwd: folder })) {
    if (file.endsWith('.test.ts')) continue;
    const source = readFileSync(path.join(folder, file), 'utf8');
    write(name, file.replace(/\.ts$/, '.js'), withPlaces(stripTypeScriptTypes(source), name, file));
  }
}
for (const [name, folder] of Object.entries(declarations)) {
  for (const file of globSync('**/*.d.ts', { cwd: path.join(root, folder) })) {
    const source = readFileSync(path.join(root, folder, file), 'utf8');
    write(name, file, withPlaces(source, name, file));
  }
}
const own = JSON.parse(readFileSync(path.join(root, 'sdk', 'package.json'), 'utf8'));
const { dependencies } = JSON.parse(
  readFileSync(path.join(root, 'contract', 'package.json'), 'utf8'),
);
writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
cpSync(path.join(root, 'LICENSE'), path.join(target, 'LICENSE'));
cpSync(path.join(root, 'sdk', 'README.md'), path.join(target, 'README.md'));
console.log(`the package is in ${path.relative(process.cwd(), target)}`);

function manifest(): object {
  const { name, version, description, license, engines } = own;
  return {
    name,
    version,
    description,
    license,
    engines,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './sdk/index.d.ts', default: './sdk/index.js' } },
    // The types of the contract are computed by it; nothing of it runs.
    dependencies: { typebox: dependencies.typebox },
  };
}

/** Imports of files and of workspaces as they lie in the package. */
function withPlaces(text: string, workspace: string, file: string): string {
  const up = '../'.repeat(file.split('/').length);
  return text
    .replace(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1')
    .replace(/(['"])@sibyl\/(money|contract)\1/g, (_, quote: string, name: string) =>
      name === workspace ? `${quote}./index.js${quote}` : `${quote}${up}${name}/index.js${quote}`,
    );
}

function write(workspace: string, file: string, text: string): void {
  const place = path.join(target, workspace, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
}
