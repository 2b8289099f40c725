// Refuses circles of folders: no chain of imports may lead back to its first folder. The engine and the pages still have some.
import path from 'node:path';
import { isNode, parseSource, walk } from './syntax.ts';
import { isTest, lineAt, type Problem, readText } from './tree.ts';

const ordered = ['storage', 'lane', 'history', 'server'];
/** Pairs of folders that import each other, by workspace. The numbers may only fall. */
const pairsMost: Readonly<Record<string, number>> = { engine: 17, web: 33 };

interface Import {
  readonly file: string;
  readonly line: number;
  readonly to: string;
}

export function checkCircles(root: string, files: readonly string[]): readonly Problem[] {
  const importsOf = (workspace: string) =>
    importsBetween(
      root,
      files.filter((file) => isSourceOf(workspace, file)),
    );
  return [
    ...ordered.flatMap((workspace) => circlesIn(importsOf(workspace))),
    ...Object.entries(pairsMost).flatMap(([workspace, most]) =>
      pairsIn(importsOf(workspace), most),
    ),
  ];
}

function isSourceOf(workspace: string, file: string): boolean {
  return file.startsWith(`${workspace}/src/`) && /\.tsx?$/.test(file) && !isTest(file);
}

/** By folder, the first import of each other folder. */
function importsBetween(
  root: string,
  sources: readonly string[],
): ReadonlyMap<string, readonly Import[]> {
  const imports = new Map<string, Import[]>();
  for (const file of sources) {
    const text = readText(root, file);
    const folder = path.posix.dirname(file);
    const known = imports.get(folder) ?? [];
    imports.set(folder, known);
    walk(parseSource(file, text).program, (node) => {
      const { source } = node;
      if (!isNode(source) || typeof source.value !== 'string') return;
      if (!source.value.startsWith('.')) return;
      const to = path.posix.dirname(path.posix.join(folder, source.value));
      if (to === folder || known.some((one) => one.to === to)) return;
      known.push({ file, line: lineAt(text, node.start), to });
    });
  }
  return imports;
}

function circlesIn(imports: ReadonlyMap<string, readonly Import[]>): readonly Problem[] {
  const problems: Problem[] = [];
  const finished = new Set<string>();
  const visit = (folder: string, way: readonly string[]): void => {
    if (finished.has(folder)) return;
    for (const { file, line, to } of imports.get(folder) ?? []) {
      const began = way.indexOf(to);
      if (began === -1) {
        visit(to, [...way, to]);
        continue;
      }
      const circle = [...way.slice(began), to].join(' > ');
      problems.push({ file, line, check: 'circles', message: `folders in a circle: ${circle}` });
    }
    finished.add(folder);
  };
  for (const folder of imports.keys()) visit(folder, [folder]);
  return problems;
}

function pairsIn(
  imports: ReadonlyMap<string, readonly Import[]>,
  most: number,
): readonly Problem[] {
  const pairs = [...imports].flatMap(([folder, known]) =>
    known.filter(({ to }) => folder < to && imports.get(to)?.some((back) => back.to === folder)),
  );
  const message = `${pairs.length} pairs of folders import each other, ${most} are allowed: one of them is this`;
  return pairs.slice(most).map(({ file, line }) => ({ file, line, check: 'circles', message }));
}
