// The smallest tree that breaks no rule, including everything each layer is allowed to do.
import type { Files } from './sandbox.ts';

export const cleanTree: Files = {
  'README.md': 'Read [the rules](engine/SPEC.md), then run `npm test`.\n',
  LICENSE: 'Apache License, Version 2.0\n',
  'money/src/index.ts': source("export { half } from './half.ts';"),
  'money/src/half.ts': source(
    '// exact: callers pass even amounts.\nexport function half(amount: bigint): bigint {\n  return amount / 2n;\n}',
  ),
  'engine/SPEC.md': '# Rules\n\n- **OB1** A book has a best price.\n',
  'engine/src/index.ts': source("export { best } from './book/best.ts';"),
  'engine/src/book/best.ts': source(
    "import { half } from '@sibyl/money';\n\nexport const best = half(2n);",
  ),
  'engine/src/book/best.test.ts':
    "import { expect, test } from 'vitest';\nimport { best } from './best.ts';\n\ntest('[OB1] has a best price', () => {\n  expect(best).toBe(1n);\n});\n",
  'engine/src/long.ts': lines(500),
  'engine/src/long.test.ts': lines(600),
  'contract/src/index.ts': source('export const limit = 4n;'),
  'storage/package.json': manifest('storage', {}),
  'storage/src/index.ts': source("export { ownFile } from './own-file.ts';"),
  'storage/src/own-file.ts': source("export const ownFile = 'file';"),
  'lane/package.json': manifest('lane', {
    '@sibyl/money': '0.1.0',
    '@sibyl/engine': '0.1.0',
    '@sibyl/storage': '0.1.0',
  }),
  'lane/src/index.ts': source("export { submit } from './sequencer/submit.ts';"),
  'lane/src/time/clock.ts': source('export const nowMs = 1;'),
  'lane/src/journal/journal.ts': source(
    "import { ownFile } from '@sibyl/storage';\n\nexport const journal = ownFile;",
  ),
  'lane/src/record/commit.ts': source(
    "import { best } from '@sibyl/engine';\nimport { journal } from '../journal/journal.ts';\n\nexport const commit = [best, journal];",
  ),
  'lane/src/recovery/recover.ts': source(
    "import { commit } from '../record/commit.ts';\n\nexport const recover = commit;",
  ),
  'lane/src/sequencer/submit.ts': source(
    "import { recover } from '../recovery/recover.ts';\nimport { nowMs } from '../time/clock.ts';\n\nexport const submit = [recover, nowMs];",
  ),
  'history/package.json': manifest('history', {
    '@sibyl/money': '0.1.0',
    '@sibyl/engine': '0.1.0',
    '@sibyl/storage': '0.1.0',
    '@sibyl/lane': '0.1.0',
  }),
  'history/src/index.ts': source("export { project } from './projector/project.ts';"),
  'history/src/store/rows.ts': source('export const rows = 1;'),
  'history/src/sqlite/files.ts': source(
    "import { rows } from '../store/rows.ts';\n\nexport const files = rows;",
  ),
  'history/src/projector/project.ts': source(
    "import { submit } from '@sibyl/lane';\nimport { rows } from '../store/rows.ts';\n\nexport const project = [submit, rows];",
  ),
  'sdk/package.json': manifest('sdk', { '@sibyl/money': '0.1.0', '@sibyl/contract': '0.1.0' }),
  'sdk/src/index.ts': source("export type { limit } from '@sibyl/contract';"),
  'server/package.json': manifest('server', {
    '@sibyl/money': '0.1.0',
    '@sibyl/engine': '0.1.0',
    '@sibyl/contract': '0.1.0',
    '@sibyl/storage': '0.1.0',
    '@sibyl/lane': '0.1.0',
    '@sibyl/history': '0.1.0',
  }),
  'server/src/index.ts': source('export const server = 1;'),
  'server/src/boot.ts': source(
    "import { journal } from './adapters/sqlite/journal.ts';\nimport { place } from './modules/orders/handlers.ts';\n\nexport const booted = [journal, place];",
  ),
  'server/src/ports/journal.ts': source(
    "import type { best } from '@sibyl/engine';\n\nexport type Journal = { readonly head: typeof best };",
  ),
  'server/src/adapters/sqlite/journal.ts': source(
    "import { readFileSync } from 'node:fs';\nimport type { Journal } from '../../ports/journal.ts';\nimport { name } from './name.ts';\n\nexport const journal: readonly (Journal | string)[] = [name, readFileSync(name, 'utf8')];",
  ),
  'server/src/adapters/sqlite/name.ts': source("export const name = 'journal';"),
  'server/src/streams/hub.ts': source(
    "import { best } from '@sibyl/engine';\nimport type { Journal } from '../ports/journal.ts';\n\nexport const hub: Journal = { head: best };",
  ),
  'server/src/modules/orders/handlers.ts': source(
    "import { limit } from '@sibyl/contract';\nimport { submit } from '@sibyl/lane';\nimport { rows } from './queries.ts';\n\nexport const place = [submit, limit, rows];",
  ),
  'server/src/modules/orders/queries.ts': source('export const rows = 1n;'),
  'server/src/modules/markets/queries.ts': source('export const markets = 1n;'),
  'server/src/gateway/http.ts': source(
    "import { limit } from '@sibyl/contract';\nimport type { Journal } from '../ports/journal.ts';\n\nexport const http: Journal | bigint = limit;",
  ),
};

export function source(body: string): string {
  return `// A fixture.\n${body}\n`;
}

// A file of exactly that many lines.
export function lines(count: number): string {
  const statements = Array.from({ length: count - 1 }, (_, at) => `export const x${at} = ${at};\n`);
  return `// A fixture.\n${statements.join('')}`;
}

export function manifest(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  license = 'Apache-2.0',
): string {
  return JSON.stringify({ name: `@sibyl/${name}`, license, type: 'module', dependencies });
}
