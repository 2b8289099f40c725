// Builds that follow one another: copies of this tree, in each of which the engine was frozen and then changed.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decodeValue } from '@sibyl/engine';
import type { LaneRun, LaneRunEnd } from './lane-run.ts';

const tree = path.join(import.meta.dirname, '../../..');
const WORKSPACES = [
  'money',
  'engine',
  'contract',
  'storage',
  'lane',
  'history',
  'server',
  'sdk',
  'cli',
];
const BOUNDARIES = 'lane/src/logic/boundaries.ts';
const LEFT_OUT = new Set(['node_modules', 'build']);

/** In which file, what is replaced by what. */
export type Change = readonly [file: string, from: string | RegExp, to: string];

export class Build {
  readonly folder: string;
  readonly logic: number;

  private constructor(folder: string) {
    this.folder = folder;
    const text = readFileSync(path.join(folder, 'engine/src/logic.ts'), 'utf8');
    this.logic = Number(/ENGINE_LOGIC = (\d+);/.exec(text)?.[1]);
  }

  /** The tree as it is. */
  static first(folder: string): Build {
    copy(tree, folder);
    return new Build(folder);
  }

  /** What whoever raises the number does: freeze, raise, change, and write the boundary. */
  next(folder: string, boundary: string, changes: readonly Change[]): Build {
    copy(this.folder, folder);
    execFileSync(process.execPath, ['tools/freeze.ts', '--tree'], { cwd: folder });
    const { logic } = this;
    const name = `boundary${logic}`;
    writeFileSync(
      path.join(folder, `lane/src/logic/boundary-${logic}.ts`),
      `export const ${name} = { from: ${logic}, ${boundary} };\n`,
    );
    const import_ = `import { ${name} } from './boundary-${logic}.ts';\n`;
    const steps: Change[] = [
      ['engine/src/logic.ts', /ENGINE_LOGIC = \d+;/, `ENGINE_LOGIC = ${logic + 1};`],
      [BOUNDARIES, /^import/m, `${import_}import`],
      [BOUNDARIES, /\];$/m, `${name},];`],
    ];
    for (const change of [...steps, ...changes]) alter(folder, change);
    return new Build(folder);
  }

  live(run: LaneRun): LaneRunEnd {
    const { status, stdout, stderr } = this.#run([
      'server/test/upgrades/lane-run.ts',
      JSON.stringify(run),
    ]);
    if (status !== 0) throw new Error(stderr);
    return decodeValue(stdout) as LaneRunEnd;
  }

  /** A run that is killed; true if it was. */
  die(run: LaneRun): boolean {
    return (
      this.#run(['server/test/upgrades/lane-run.ts', JSON.stringify(run)]).signal === 'SIGKILL'
    );
  }

  /** The command line: exit code and all that it said. */
  sibyl(...args: readonly string[]): { readonly code: number | null; readonly output: string } {
    const { status, stdout, stderr } = this.#run(['cli/src/main.ts', ...args]);
    return { code: status, output: stdout + stderr };
  }

  #run(args: readonly string[]) {
    return spawnSync(process.execPath, [...args], {
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  }
}

function copy(from: string, to: string): void {
  mkdirSync(path.join(to, 'node_modules/@sibyl'), { recursive: true });
  for (const workspace of WORKSPACES) {
    cpSync(path.join(from, workspace), path.join(to, workspace), {
      recursive: true,
      filter: (source) => !LEFT_OUT.has(path.basename(source)),
    });
    symlinkSync(path.join('../..', workspace), path.join(to, 'node_modules/@sibyl', workspace));
  }
  mkdirSync(path.join(to, 'tools'));
  for (const file of ['package.json', 'tools/freeze.ts']) {
    cpSync(path.join(from, file), path.join(to, file));
  }
  for (const name of readdirSync(path.join(tree, 'node_modules'))) {
    if (name === '@sibyl') continue;
    symlinkSync(path.join(tree, 'node_modules', name), path.join(to, 'node_modules', name));
  }
}

function alter(folder: string, [file, from, to]: Change): void {
  const at = path.join(folder, file);
  const text = readFileSync(at, 'utf8');
  const altered = text.replace(from, to);
  if (altered === text) throw new Error(`${file} has no ${from}`);
  writeFileSync(at, altered);
}
