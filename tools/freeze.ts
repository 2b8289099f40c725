// Freezes the engine of a commit: all that a replay runs, bundled into one file that is pinned and never changed again.
//
//   node tools/freeze.ts COMMIT    the engine of that commit
//   node tools/freeze.ts --tree    the engine of this tree as it stands
//
// To be run with the last commit of a logic number, before the number is raised: lane/frozen/README.md.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';

interface Pin {
  readonly logic: number;
  readonly sha256: string;
}

const tree = path.join(import.meta.dirname, '..');
const folder = path.join(tree, 'lane/frozen');
const pinsFile = path.join(folder, 'pins.json');

async function freeze(root: string): Promise<void> {
  const logic = logicOf(root);
  const file = path.join(folder, `logic-${logic}.js`);
  const code = await bundle(root, logic);
  const sha256 = createHash('sha256').update(code).digest('hex');
  const pins = JSON.parse(readFileSync(pinsFile, 'utf8')) as readonly Pin[];
  const known = pins.find((pin) => pin.logic === logic);
  if (known !== undefined && (known.sha256 !== sha256 || !existsSync(file))) {
    throw new Error(`logic ${logic} was frozen before as ${known.sha256}, and is never replaced`);
  }
  writeFileSync(file, code);
  const others = pins.filter((pin) => pin !== known);
  const sorted = [...others, { logic, sha256 }].sort((a, b) => a.logic - b.logic);
  writeFileSync(pinsFile, `${JSON.stringify(sorted, null, 2)}\n`);
  console.log(`${path.relative(tree, file)} ${sha256}`);
}

function logicOf(root: string): number {
  const text = readFileSync(path.join(root, 'engine/src/logic.ts'), 'utf8');
  const [, logic] = /^export const ENGINE_LOGIC = (\d+);$/m.exec(text) ?? [];
  if (logic === undefined) throw new Error('engine/src/logic.ts does not say its number');
  return Number(logic);
}

/** Nothing is left to be found elsewhere: neither packages nor parts of Node. */
async function bundle(root: string, logic: number): Promise<string> {
  const build = await rolldown({
    input: path.join(root, 'lane/src/logic/current.ts'),
    cwd: root,
    resolve: {
      alias: {
        '@sibyl/engine': path.join(root, 'engine/src/index.ts'),
        '@sibyl/money': path.join(root, 'money/src/index.ts'),
      },
    },
    platform: 'neutral',
    tsconfig: false,
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const banner = `// Engine logic ${logic} as it ran: made by tools/freeze.ts, pinned in pins.json, never edited.`;
  // Nobody edits it, so it is packed; names stay, for whoever reads a trace of it.
  const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } };
  const { output } = await build.generate({ format: 'esm', comments: false, minify });
  const [chunk, ...others] = output;
  if (others.length > 0 || chunk.imports.length > 0) throw new Error('the engine is not one file');
  return `${banner}\n${chunk.code}`;
}

async function freezeCommit(commit: string): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'sibyl-freeze-'));
  try {
    const parts = ['money/src', 'engine/src', 'lane/src'];
    const archive = execFileSync('git', ['archive', commit, ...parts], {
      cwd: tree,
      maxBuffer: 1 << 28,
    });
    execFileSync('tar', ['-x', '-C', root], { input: archive });
    await freeze(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const [what] = process.argv.slice(2);
if (what === undefined) {
  console.error('usage: node tools/freeze.ts COMMIT | --tree');
  process.exitCode = 2;
} else if (what === '--tree') await freeze(tree);
else await freezeCommit(what);
