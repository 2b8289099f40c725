// The list of everything that must be green; the only place to add a check to.
import path from 'node:path';

export type Check = {
  readonly name: string;
  readonly proves: string;
  readonly command: readonly [string, ...string[]];
  // A static check reads the tree; the others run the product.
  readonly isStatic: boolean;
};

export const root = path.resolve(import.meta.dirname, '..');
export const testReport = path.join(root, 'build', 'test-report.json');

export const checks: readonly Check[] = [
  {
    name: 'lint',
    proves: 'format, purity and layers',
    command: ['biome', 'check', '--error-on-warnings', '.'],
    isStatic: true,
  },
  {
    name: 'types',
    proves: 'types and the import law',
    command: ['tsc', '-b'],
    isStatic: true,
  },
  {
    name: 'tidy',
    proves: 'rules have tests, no floats, docs are true',
    command: ['node', 'tools/tidy.ts'],
    isStatic: true,
  },
  {
    name: 'unused',
    proves: 'no dead files, exports or dependencies',
    command: ['knip', '--no-progress', '--no-config-hints'],
    isStatic: true,
  },
  generated('records', 'tools/records/main.ts', 'forms of an order'),
  generated('contract', 'contract/emit/main.ts', 'documents'),
  generated('client', 'sdk/emit/main.ts', 'client tables'),
  generated('settings', 'server/emit/main.ts', 'settings page'),
  {
    name: 'tests',
    proves: 'rules, properties, vectors, planted violations',
    command: [
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${testReport}`,
    ],
    isStatic: false,
  },
];

function generated(name: string, emitter: string, what: string): Check {
  return {
    name,
    proves: `the generated ${what} equal their source`,
    command: ['node', emitter, '--check'],
    isStatic: true,
  };
}
