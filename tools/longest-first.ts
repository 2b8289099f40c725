// The order of test files: those that take longest begin, so that no core stands idle while the last one ends. Vitest
// itself knows how long files took only where they have run before, which a fresh clone has not.
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/** Beginnings of paths, longest first; whatever has none of them comes after, in vitest's own order. */
const LONG = [
  'server/test/conformance/conformance',
  'server/test/faults/kills',
  'sim/src/slice',
  'tools/guards',
  'tools/tables',
  'server/test/streams/restart',
  'web/test/restart',
  'web/test/',
  'server/test/faults/',
  'server/test/upgrades/',
  'server/test/stores/',
  'server/test/start',
  'server/test/browser/',
  'server/test/client/',
  'cli/test/',
  'sim/',
  'server/test/',
  'server/',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const file = path.relative(root, moduleId).replaceAll(path.sep, '/');
  const at = LONG.findIndex((beginning) => file.startsWith(beginning));
  return at === -1 ? LONG.length : at;
}
