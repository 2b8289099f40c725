// A small copy of the repository under the real configuration, where violations can be planted without harm.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Tool = 'types' | 'lint' | 'tidy';
export type Files = Readonly<Record<string, string>>;
export type Violation = {
  readonly breach: string;
  readonly tool: Tool;
  readonly files: Files;
  readonly names: RegExp;
};
export type Verdict = { readonly passed: boolean; readonly output: string };

const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'node_modules', '.bin');
const workspaces = ['money', 'engine', 'contract', 'storage', 'lane', 'history', 'server', 'sdk'];
const configuration = [
  '.gitignore',
  'biome.json',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.test.base.json',
];

export class Sandbox {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'sibyl-guards-'));

  constructor(clean: Files) {
    for (const file of configuration) this.#copy(file);
    symlinkSync(path.join(root, 'node_modules'), path.join(this.#folder, 'node_modules'));
    const references: { path: string }[] = [];
    for (const name of workspaces) {
      for (const file of ['package.json', 'tsconfig.json', 'tsconfig.test.json']) {
        if (!existsSync(path.join(root, name, file))) continue;
        this.#copy(`${name}/${file}`);
        if (file.startsWith('tsconfig')) references.push({ path: `${name}/${file}` });
      }
      this.#copyEmitter(name);
    }
    this.#write({ ...clean, 'tsconfig.json': `${JSON.stringify({ files: [], references })}\n` });
  }

  // Plants the files, asks the tool, and takes the files out again; a file of the clean tree is put back.
  judge(tool: Tool, planted: Files, clean: Files): Verdict {
    this.#write(planted);
    try {
      return this.#run(tool);
    } finally {
      for (const file of Object.keys(planted)) rmSync(path.join(this.#folder, file));
      this.#write(clean);
    }
  }

  /**
   * What the linter says of each of these, planted all at once: most of what a run takes is for reading the configuration and
   * the packages. Each file called bad gets a number, so that none takes another's place, and loses it again in what is said.
   */
  lintTogether(planted: readonly Files[], clean: Files): readonly string[] {
    const numbered = planted.map((files, index) =>
      Object.fromEntries(
        Object.entries(files).map(([file, text]) => [
          file.replace('/bad.', `/bad-${index}.`),
          text,
        ]),
      ),
    );
    const together = Object.assign({}, ...numbered) as Files;
    const { output } = this.judge('lint', together, clean);
    const remarks = output.split(/^(?=\S+ lint\/)/m);
    return numbered.map((files, index) =>
      remarks
        .filter((remark) => Object.keys(files).some((file) => remark.split(/[: ]/, 1)[0] === file))
        .join('')
        .replaceAll(`/bad-${index}.`, '/bad.'),
    );
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(tool: Tool): Verdict {
    const commands: Record<Tool, readonly string[]> = {
      types: [path.join(bin, 'tsc'), '-b', '--pretty', 'false'],
      lint: [
        path.join(bin, 'biome'),
        'lint',
        '--colors=off',
        '--error-on-warnings',
        '--max-diagnostics=none',
        '.',
      ],
      tidy: [path.join(bin, 'node'), path.join(root, 'tools/tidy.ts'), this.#folder],
    };
    const [program = '', ...args] = commands[tool];
    const result = spawnSync(program, args, { cwd: this.#folder, encoding: 'utf8' });
    if (result.error !== undefined) throw result.error;
    return { passed: result.status === 0, output: result.stdout + result.stderr };
  }

  // A workspace that generates files has a project for that, which its tests refer to.
  #copyEmitter(name: string): void {
    const file = `${name}/emit/tsconfig.json`;
    if (!existsSync(path.join(root, file))) return;
    this.#copy(file);
    for (const part of ['main.ts', 'generated-files.ts']) {
      if (!existsSync(path.join(root, name, 'emit', part))) continue;
      this.#write({ [`${name}/emit/${part}`]: '// Writes nothing.\nexport {};\n' });
    }
  }

  #copy(file: string): void {
    cpSync(path.join(root, file), path.join(this.#folder, file));
  }

  #write(files: Files): void {
    for (const [file, text] of Object.entries(files)) {
      const target = path.join(this.#folder, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
}
