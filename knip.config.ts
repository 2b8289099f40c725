// Tells knip where each workspace begins, so that a file nobody reaches from there is reported as dead.
import { existsSync } from 'node:fs';
import type { KnipConfig } from 'knip';

const tests = ['**/*.test.ts', 'test/**/*.ts'];
const entries: Readonly<Record<string, readonly string[]>> = {
  money: ['src/index.ts'],
  engine: ['src/index.ts'],
  contract: ['src/index.ts', 'emit/main.ts', 'emit/openapi.ts'],
  server: ['src/main.ts', 'src/index.ts', 'emit/main.ts'],
  sdk: ['src/index.ts', 'emit/main.ts'],
  cli: ['bin/sibyl.mjs', 'src/main.ts'],
  sim: ['src/main.ts'],
  bench: ['src/main.ts'],
};

// A workspace is judged from the moment all its entries exist; before that nothing in it can be reached.
const begun = Object.entries(entries).filter(([name, files]) =>
  files.every((file) => existsSync(`${name}/${file}`)),
);
const pending = Object.keys(entries).filter(
  (name) => existsSync(name) && !begun.some(([known]) => known === name),
);

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'scripts/{run,test}.mjs',
        'scripts/{check,chaos}.ts',
        'tools/tidy.ts',
        'tools/**/*.test.ts',
      ],
      project: ['scripts/**', 'tools/**'],
    },
    ...Object.fromEntries(
      begun.map(([name, files]) => [name, { entry: [...files, ...tests], project: ['**/*.ts'] }]),
    ),
  },
  ignoreWorkspaces: pending,
  // Only the tests of engine and sim use it, and those are not seen while their workspace is pending.
  ignoreDependencies: pending.length > 0 ? ['fast-check'] : [],
  ignoreExportsUsedInFile: { interface: true, type: true },
};

export default config;
