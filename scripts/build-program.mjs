// Puts the server, its threads and the packages it uses into a few files, when what they are made of has changed: Node spends
// half of a start on finding and linking two thousand of them. `npm start` and the tests call this, nobody else need to.
// Built-in modules and plain syntax only; the packages are there by then.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hashOf } from './source-hash.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.join(root, 'server', 'build', 'program');

const workspaces = ['money', 'engine', 'contract', 'storage', 'lane', 'history', 'server'];
const sources = [
  ...workspaces.map((name) => path.join(name, 'src')),
  'package-lock.json',
  'scripts/build-program.mjs',
];

// What runs in threads and processes of its own is found by the name of its file.
const ENTRIES = {
  main: 'server/src/main.ts',
  'reference-script-worker': 'server/src/gateway/reference-script-worker.ts',
  'reconciliation-worker': 'server/src/operator/reconciliation-worker.ts',
  'card-worker': 'server/src/cards/card-worker.ts',
  'request-worker': 'server/src/requests/request-worker.ts',
  'password-judge': 'server/src/adapters/node/password-judge.ts',
  'journal-worker': 'lane/src/journal/sqlite/journal-worker.ts',
  'snapshot-worker': 'lane/src/recovery/snapshot-worker.ts',
  'read-worker': 'history/src/sqlite/read-worker.ts',
};

const STARTED = new RegExp(
  `new URL\\('\\./(${Object.keys(ENTRIES).join('|')})\\.ts', import\\.meta\\.url\\)`,
  'g',
);

// These bring files of other kinds, which they look for beside themselves.
const OUTSIDE = [
  ...['better-sqlite3', '@node-rs/argon2', '@resvg/resvg-wasm', 'dejavu-fonts-ttf'],
  ...['@scalar/fastify-api-reference', 'pg-native'],
];

// A running server may still start threads of the build it began with.
const BUILDS_KEPT = 3;

// Gives the file that Node is to run.
export function buildProgram(node) {
  const target = path.join(folder, hashOf(root, sources).slice(0, 16));
  const program = path.join(target, 'main.js');
  if (existsSync(program)) return program;
  const { status } = spawnSync(node, [fileURLToPath(import.meta.url), target], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) return program;
  console.error('sibyl: the server could not be built');
  return process.exit(1);
}

async function build(target) {
  const { rolldown } = await import('rolldown');
  const draft = `${target}.${process.pid}`;
  const bundle = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    external: (id) => OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [{ name: 'where-files-lie', transform: (code, id) => located(code, id, draft) }],
  });
  await bundle.write({ dir: draft, format: 'esm', keepNames: true });
  await bundle.close();
  mkdirSync(folder, { recursive: true });
  // An empty file after a power cut would be a server that ends at once and says nothing.
  for (const name of readdirSync(draft)) syncFile(path.join(draft, name));
  try {
    renameSync(draft, target);
  } catch {
    // Somebody else was faster, with the same.
    rmSync(draft, { recursive: true, force: true });
  }
  removeOld();
}

// Files that are read and programs that are started are named relative to the source.
function located(code, id, target) {
  if (!id.startsWith(root) || id.includes('node_modules') || !code.includes('import.meta.')) {
    return null;
  }
  const from = (file) => path.relative(target, file).split(path.sep).join('/');
  const beside = (_, name) => `new URL('./${name}.js', <here>)`;
  return code
    .replaceAll(STARTED, beside)
    .replaceAll('import.meta.url', `new URL('${from(id)}', <here>).href`)
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${from(path.dirname(id))}')`)
    .replaceAll('<here>', 'import.meta.url');
}

function syncFile(file) {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function removeOld() {
  const builds = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of builds.slice(BUILDS_KEPT)) rmSync(old, { recursive: true, force: true });
}

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) await build(process.argv[2]);
