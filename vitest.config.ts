// One vitest project per workspace, so that a failure names the layer it belongs to.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/longest-first.ts';
import { keepFoldersInMemory } from './tools/memory-folder.ts';

const workspaces = [
  'money',
  'engine',
  'contract',
  'storage',
  'lane',
  'history',
  'server',
  'sdk',
  'cli',
  'sim',
  'bench',
  'web',
  'tools',
];

// Builds the pages and starts the exchange that journeys in the browser share. A project's own set-up comes before the one for
// all: what both need is named in both, and done once.
const journeys = fileURLToPath(new URL('web/test/global-setup.ts', import.meta.url));

// Where the sandbox lies that tests with a server begin with.
const sandbox = fileURLToPath(new URL('server/test/seeded-sandbox.ts', import.meta.url));

// Tests that start compilers or whole servers; everything else must answer within the short limit. Both are meant for what
// hangs: a machine that others use too can be ten times slower than by itself.
const slow = new Set(['sim', 'lane', 'history', 'server', 'cli', 'web', 'tools']);
// Files of these share a worker's modules, which saves each of them the import of the whole engine or of the browser's
// driver. Those that are left out start compilers or change what the whole process sees.
const sharing = new Set(['money', 'engine', 'contract', 'lane', 'history', 'server', 'sdk', 'web']);

// Looks at memory that all connections of a process share, as a process finds it that has just begun.
const alone = 'server/test/gateway/order-path.test.ts';

const limitMs = (name: string): number => (slow.has(name) ? 300_000 : 60_000);

interface Files {
  readonly root: string;
  readonly include?: string[];
}

function project(name: string, { root, include = ['**/*.test.ts'] }: Files) {
  return {
    extends: true as const,
    root,
    test: {
      name,
      include,
      exclude: [
        '**/node_modules/**',
        '**/build/**',
        ...(name === 'server' ? [`**/${path.basename(alone)}`] : []),
      ],
      ...(name === 'web' && { globalSetup: [sandbox, journeys] }),
      isolate: !sharing.has(name),
      // Node reads the modules as it does for people.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      testTimeout: limitMs(name),
      hookTimeout: limitMs(name),
      expect: { poll: { timeout: 60_000 } },
    },
  };
}

keepFoldersInMemory();

export default defineConfig({
  test: {
    pool: 'threads',
    // More than twice the cores of a small machine: a third of the time tests wait, for servers, disks and deadlines.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    globalSetup: [sandbox],
    projects: [
      ...workspaces
        .filter((name) => existsSync(new URL(name, import.meta.url)))
        .map((name) => project(name, { root: `./${name}` })),
      project('server-alone', { root: '.', include: [alone] }),
    ],
  },
});
