// One vitest project per workspace, so that a failure names the layer it belongs to.
import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const workspaces = ['money', 'engine', 'contract', 'server', 'sdk', 'cli', 'sim', 'bench', 'tools'];

// Tests that start compilers or whole servers; everything else must answer within the short limit.
const slow = new Set(['sim', 'server', 'cli', 'tools']);

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: 2,
    projects: workspaces
      .filter((name) => existsSync(new URL(name, import.meta.url)))
      .map((name) => ({
        extends: true as const,
        root: `./${name}`,
        test: {
          name,
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/build/**'],
          testTimeout: slow.has(name) ? 120_000 : 30_000,
        },
      })),
  },
});
