// Every rule of the tree with one planted breach, and the words by which the responsible tool must name it.
import { lines, manifest, source } from './clean-tree.ts';
import { ruleViolations } from './rule-violations.ts';
import type { Files, Violation } from './sandbox.ts';

export const violations: readonly Violation[] = [
  ...importLaw(),
  ...purity(),
  ...lowerLayers(),
  ...serverLayers(),
  ...shape(),
  ...honestTests(),
  ...ruleViolations(),
  ...tidiness(),
];

function importLaw(): readonly Violation[] {
  const unlisted = /bad\.ts\(.*TS6307/;
  const restricted = /bad\.ts.*noRestrictedImports/;
  return [
    types('engine imports server by name', 'engine', importing('@sibyl/server'), unlisted),
    types(
      'engine imports server by path',
      'engine',
      importing('../../server/src/index.ts'),
      unlisted,
    ),
    types('engine imports contract', 'engine', importing('@sibyl/contract'), unlisted),
    types('money imports engine', 'money', importing('@sibyl/engine'), unlisted),
    types('contract imports engine', 'contract', importing('@sibyl/engine'), unlisted),
    lint('engine imports server', 'engine/src/bad.ts', importing('@sibyl/server'), restricted),
    lint('engine imports contract', 'engine/src/bad.ts', importing('@sibyl/contract'), restricted),
    lint('engine imports a package', 'engine/src/bad.ts', importing('denque'), restricted),
    lint('engine imports a scoped package', 'engine/src/bad.ts', importing('@a/b'), restricted),
    lint(
      'engine imports a type',
      'engine/src/bad.ts',
      "import type { X } from 'denque';\n\nexport type Y = X;",
      restricted,
    ),
    lint('money imports a package', 'money/src/bad.ts', importing('denque'), restricted),
    lint('money imports a scoped package', 'money/src/bad.ts', importing('@a/b'), restricted),
    lint('money imports engine', 'money/src/bad.ts', importing('@sibyl/engine'), restricted),
    lint('contract imports engine', 'contract/src/bad.ts', importing('@sibyl/engine'), restricted),
    lint('contract imports node', 'contract/src/bad.ts', importing('node:fs'), restricted),
    lint('sdk imports a package', 'sdk/src/bad.ts', importing('denque'), restricted),
    lint(
      'a page imports the engine',
      'web/src/pages/here/bad.ts',
      importing('@sibyl/engine'),
      restricted,
    ),
    lint(
      'a page imports another page',
      'web/src/pages/here/bad.ts',
      importing('../there/page.ts'),
      restricted,
    ),
    lint(
      'a component imports the contract',
      'web/src/components/bad.ts',
      importing('@sibyl/contract'),
      restricted,
    ),
    lint(
      'a page writes markup of others',
      'web/src/pages/here/bad.tsx',
      'export const bad = <p dangerouslySetInnerHTML={{ __html: document.title }} />;',
      /bad\.tsx.*noDangerouslySetInnerHtml/,
    ),
    lint(
      'server imports an undeclared package',
      'server/src/bad.ts',
      importing('denque'),
      /noUndeclaredDependencies/,
    ),
  ];
}

function purity(): readonly Violation[] {
  const file = 'engine/src/bad.ts';
  const restricted = /bad\.ts.*noRestrictedGlobals/;
  return [
    types('engine imports node:fs', 'engine', importing('node:fs'), /bad\.ts\(.*TS2591.*node:fs/),
    types('engine prints', 'engine', 'console.log(1);', /bad\.ts\(.*TS2584/),
    types(
      'money reads the environment',
      'money',
      'export const x = process.env;',
      /bad\.ts\(.*TS2591/,
    ),
    lint('engine imports node:fs', file, importing('node:fs'), /bad\.ts.*noRestrictedImports/),
    lint('engine reads the clock', file, 'export const x = Date.now();', restricted),
    lint('engine makes a Date', file, 'export const x = new Date(0);', restricted),
    lint('engine rolls dice', file, 'export const x = Math.random();', restricted),
    lint('engine rounds a float', file, 'export const x = Math.floor(1);', restricted),
    lint('engine goes through globalThis', file, 'export const x = globalThis;', restricted),
    lint('engine is asynchronous', file, 'export const x = Promise.resolve(1);', restricted),
    lint('money formats by locale', 'money/src/bad.ts', 'export const x = Intl;', restricted),
    tidy(
      'engine has a decimal literal',
      file,
      'export const x = 1.5;',
      /bad\.ts:2 floats: decimal literal 1\.5/,
    ),
    tidy(
      'engine has a small literal',
      file,
      'export const x = 1e-3;',
      /bad\.ts:2 floats: decimal literal/,
    ),
    tidy(
      'engine divides without a word',
      file,
      'export const x = 4 / 2;',
      /bad\.ts:2 floats: division/,
    ),
    tidy(
      'money makes a number of value',
      'money/src/bad.ts',
      'export const x = Number(5n);',
      /bad\.ts:2 floats: Number/,
    ),
    tidy(
      'engine parses a float',
      file,
      "export const x = Number.parseFloat('1');",
      /bad\.ts:2 floats: \.parseFloat/,
    ),
  ];
}

/** What lies below the server knows nothing of it, and has an order of its own inside. */
function lowerLayers(): readonly Violation[] {
  const breaches = [
    ['storage/src/bad.ts', '@sibyl/engine', 'storage knows files'],
    ['lane/src/time/bad.ts', '../journal/journal.ts', 'time lies below'],
    ['lane/src/journal/bad.ts', '../record/commit.ts', 'journal lies below'],
    ['lane/src/record/bad.ts', '../recovery/recover.ts', 'record lies below'],
    ['lane/src/logic/bad.ts', '../recovery/recover.ts', 'logic lies below'],
    ['lane/src/recovery/bad.ts', '../sequencer/submit.ts', 'recovery lies below'],
    ['lane/src/sequencer/bad.ts', '@sibyl/contract', 'lane imports engine'],
    ['history/src/store/bad.ts', '../projector/project.ts', 'store lies below'],
    ['history/src/sqlite/bad.ts', '../projector/project.ts', 'sqlite lies below'],
    ['history/src/projector/bad.ts', '../sqlite/files.ts', 'projector lies below'],
    ['history/src/projector/bad.ts', '@sibyl/server', 'history imports engine'],
  ] as const;
  return [
    types('lane imports server', 'lane', importing('@sibyl/server'), /bad\.ts\(.*TS6307/),
    types('history imports server', 'history', importing('@sibyl/server'), /bad\.ts\(.*TS6307/),
    ...breaches.map(([file, target, message]) =>
      lint(`${file} imports ${target}`, file, importing(target), new RegExp(message)),
    ),
  ];
}

function serverLayers(): readonly Violation[] {
  const otherModule = 'a module never imports another module';
  const modules = 'modules import ports, wire words';
  const gateway = 'the gateway receives handlers';
  const breaches = [
    ['modules/orders/bad.ts', '../markets/queries.ts', otherModule],
    ['modules/orders/book/bad.ts', '../../markets/queries.ts', otherModule],
    ['modules/orders/bad.ts', '../../gateway/http.ts', modules],
    ['modules/orders/bad.ts', '../../adapters/sqlite/name.ts', modules],
    ['adapters/sqlite/bad.ts', '../../gateway/http.ts', 'adapters import only ports'],
    ['adapters/memory/bad.ts', '../sqlite/name.ts', 'adapters import only ports'],
    ['adapters/sqlite/bad.ts', '@sibyl/engine', 'adapters know ports'],
    ['gateway/bad.ts', '../adapters/sqlite/name.ts', gateway],
    ['gateway/bad.ts', '../modules/orders/queries.ts', gateway],
    ['gateway/bad.ts', '../direct/front.ts', 'does not know which way an order came'],
    ['streams/bad.ts', '../adapters/sqlite/name.ts', 'this layer imports engine'],
    ['notices/bad.ts', '../gateway/http.ts', 'this layer imports engine'],
    ['notices/bad.ts', '../streams/hub.ts', 'streams and webhooks both tell what notices/ says'],
    ['streams/bad.ts', '../delivery/tail.ts', 'streams and webhooks both tell what notices/ says'],
    ['delivery/bad.ts', '../streams/hub.ts', 'streams and webhooks both tell what notices/ says'],
    ['ports/bad.ts', 'denque', 'ports are interfaces'],
    ['ports/bad.ts', '../streams/hub.ts', 'ports are interfaces'],
    ['config.ts', './adapters/sqlite/name.ts', 'only boot.ts and stores/ choose adapters'],
  ] as const;
  return breaches.map(([file, target, message]) =>
    lint(
      `server ${file} imports ${target}`,
      `server/src/${file}`,
      importing(target),
      new RegExp(message),
    ),
  );
}

function shape(): readonly Violation[] {
  const cycle = {
    'engine/src/one.ts': source(
      "import { two } from './two.ts';\n\nexport const one = (): number => two();",
    ),
    'engine/src/two.ts': source(
      "import { one } from './one.ts';\n\nexport const two = (): number => one();",
    ),
  };
  const longFunction = `export function long(): void {\n${'  void 0;\n'.repeat(71)}}`;
  return [
    { breach: 'files import each other', tool: 'lint', files: cycle, names: /noImportCycles/ },
    {
      breach: 'folders import each other',
      tool: 'tidy',
      files: {
        'server/src/one/a.ts': source("import { d } from '../two/d.ts';\n\nexport const a = d;"),
        'server/src/one/b.ts': source('export const b = 1;'),
        'server/src/two/c.ts': source("import { b } from '../one/b.ts';\n\nexport const c = b;"),
        'server/src/two/d.ts': source('export const d = 1;'),
      },
      names: /circles: folders in a circle: server\/src\/one > server\/src\/two > server\/src\/one/,
    },
    {
      breach: 'one more pair of folders of the engine import each other',
      tool: 'tidy',
      files: pairsOfFolders(18),
      names: /circles: 18 pairs of folders import each other, 17 are allowed/,
    },
    {
      breach: 'a file has 501 lines',
      tool: 'lint',
      files: { 'engine/src/bad.ts': lines(501) },
      names: /bad\.ts.*noExcessiveLinesPerFile/,
    },
    {
      breach: 'a test has 601 lines',
      tool: 'lint',
      files: { 'engine/src/bad.test.ts': lines(601) },
      names: /bad\.test\.ts.*noExcessiveLinesPerFile/,
    },
    lint(
      'a function has more than 70 lines',
      'engine/src/bad.ts',
      longFunction,
      /noExcessiveLinesPerFunction/,
    ),
    lint(
      'a file is named in camel case',
      'engine/src/badName.ts',
      'export {};',
      /useFilenamingConvention/,
    ),
    lint(
      'a type is any',
      'engine/src/bad.ts',
      'export const x = (y: any): unknown => y;',
      /noExplicitAny/,
    ),
    lint(
      'an inner file is a barrel',
      'engine/src/bad.ts',
      "export * from './book/best.ts';",
      /noBarrelFile/,
    ),
    lint('an export has no name', 'engine/src/bad.ts', 'export default 1;', /noDefaultExport/),
    lint(
      'a promise is left alone',
      'server/src/bad.ts',
      'async function f(): Promise<void> {}\nexport function g(): void {\n  f();\n}',
      /noFloatingPromises/,
    ),
    types('an enum needs a compiler', 'engine', 'export enum X { A }', /bad\.ts\(.*TS1294/),
    types(
      'an index is trusted',
      'engine',
      'export const x = (y: number[]): number => y[0];',
      /bad\.ts\(.*TS2322/,
    ),
  ];
}

function honestTests(): readonly Violation[] {
  return [
    {
      breach: 'a test has the wrong types',
      tool: 'types',
      files: {
        'engine/src/bad.test.ts':
          "import { best } from './book/best.ts';\n\nexport const x: string = best;\n",
      },
      names: /bad\.test\.ts\(.*TS2322/,
    },
    testCalling('a test runs alone', 'test.only', /noFocusedTests/),
    testCalling('a test is skipped', 'test.skip', /noSkippedTests/),
  ];
}

function tidiness(): readonly Violation[] {
  const readme = (text: string): Files => ({ 'README.md': `${text}\n` });
  return [
    tidy(
      'an object literal is spread',
      'engine/src/bad.ts',
      'export const one = { ...{ two: 2 }, three: 3 };',
      /bad\.ts:\d spreads/,
    ),
    tidy('a decision is postponed', 'engine/src/bad.ts', `// ${'TO'}DO later`, /bad\.ts:2 words/),
    tidy('a file is named after nothing', 'engine/src/utils.ts', 'export {};', /utils\.ts:1 names/),
    {
      breach: 'a file does not say what it is',
      tool: 'tidy',
      files: { 'engine/src/bad.ts': 'export {};\n' },
      names: /bad\.ts:1 opening/,
    },
    {
      breach: 'a workspace has another licence',
      tool: 'tidy',
      files: { 'sdk/package.json': manifest('sdk', {}, 'UNLICENSED') },
      names: /sdk\/package\.json:1 manifests: license/,
    },
    {
      breach: 'the lockfile leaves out a platform',
      tool: 'tidy',
      files: {
        'package-lock.json': JSON.stringify({
          packages: { 'node_modules/a': { optionalDependencies: { 'a-arm64': '1.0.0' } } },
        }),
      },
      names: /package-lock\.json:1 manifests: node_modules\/a may want a-arm64/,
    },
    {
      breach: 'a link leads nowhere',
      tool: 'tidy',
      files: readme('[gone](docs/gone.md)'),
      names: /README\.md:1 docs: link/,
    },
    {
      breach: 'a command does not exist',
      tool: 'tidy',
      files: readme('`npm run wonders`'),
      names: /README\.md:1 docs: package\.json/,
    },
    {
      breach: 'a path does not exist',
      tool: 'tidy',
      files: readme('`engine/src/gone.ts`'),
      names: /README\.md:1 docs: engine/,
    },
  ];
}

function importing(target: string): string {
  return `import * as other from '${target}';\n\nexport const x = other;`;
}

function types(breach: string, workspace: string, body: string, names: RegExp): Violation {
  return { breach, tool: 'types', files: { [`${workspace}/src/bad.ts`]: source(body) }, names };
}

function lint(breach: string, file: string, body: string, names: RegExp): Violation {
  return { breach, tool: 'lint', files: { [file]: source(body) }, names };
}

function tidy(breach: string, file: string, body: string, names: RegExp): Violation {
  return { breach, tool: 'tidy', files: { [file]: source(body) }, names };
}

function testCalling(breach: string, call: string, names: RegExp): Violation {
  const text = `import { test } from 'vitest';\n\n${call}('[OB1] works', () => {});\n`;
  return { breach, tool: 'lint', files: { 'engine/src/bad.test.ts': text }, names };
}

function pairsOfFolders(count: number): Files {
  const files = Array.from({ length: count }, (_, pair) => [
    [`engine/src/one${pair}/there.ts`, source("export { back } from '../two/back.ts';")],
    [`engine/src/two/to${pair}.ts`, source(`export { back } from '../one${pair}/there.ts';`)],
  ]);
  return {
    'engine/src/two/back.ts': source('export const back = 1;'),
    ...Object.fromEntries(files.flat()),
  };
}
