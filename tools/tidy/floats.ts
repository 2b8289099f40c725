// Keeps floating-point arithmetic and unnamed rounding out of money/src and engine/src.
//
// The check is syntactic: it sees operators and literals, not types. So it asks for a marker at every division,
// bigint division too, because that one rounds silently; and it cannot see a float that arrives in a variable.
// What it refuses: literals with a fraction, `/` and `/=`, `Number(x)`, unary plus, and number or locale formatting.
// A comment `// exact: why` above or beside a statement or function excuses it; `// exact-file: why` among a
// file's first lines excuses the file from the division check only.
import { isNode, parseSource, type Source, type SyntaxNode, walk } from './syntax.ts';
import { isTest, lineAt, type Problem, readText } from './tree.ts';

const coveredFolders = ['money/src/', 'engine/src/'];
const openingLines = 12;
const bannedMembers = new Set([
  'parseFloat',
  'toFixed',
  'toPrecision',
  'toExponential',
  'toLocaleString',
  'localeCompare',
  'EPSILON',
  'MIN_VALUE',
  'MAX_VALUE',
]);

export function checkFloats(root: string, files: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    if (isTest(file) || !file.endsWith('.ts')) continue;
    if (!coveredFolders.some((folder) => file.startsWith(folder))) continue;
    const text = readText(root, file);
    const source = parseSource(file, text);
    const excused = excusedLines(text, source);
    walk(source.program, (node, ancestors) => {
      const breach = describeBreach(node, text);
      if (breach === undefined) return;
      if (breach.kind === 'division' && excused.file) return;
      if (isExcused(node, ancestors, text, excused.lines)) return;
      problems.push({
        file,
        line: lineAt(text, node.start),
        check: 'floats',
        message: breach.message,
      });
    });
  }
  return problems;
}

type Breach = { readonly kind: 'division' | 'float'; readonly message: string };

function describeBreach(node: SyntaxNode, text: string): Breach | undefined {
  const isDivision =
    (node.type === 'BinaryExpression' && node.operator === '/') ||
    (node.type === 'AssignmentExpression' && node.operator === '/=');
  if (isDivision) {
    return { kind: 'division', message: 'division must name its rounding: use mulDiv, or mark it' };
  }
  if (node.type === 'Literal' && typeof node.value === 'number') {
    const raw = text.slice(node.start, node.end);
    if (!Number.isInteger(node.value) || (raw.includes('.') && !raw.startsWith('0x'))) {
      return { kind: 'float', message: `decimal literal ${raw}` };
    }
  }
  if (node.type === 'CallExpression' && isNode(node.callee)) {
    if (node.callee.type === 'Identifier' && node.callee.name === 'Number') {
      return { kind: 'float', message: 'Number() may lose digits of a value' };
    }
  }
  if (node.type === 'UnaryExpression' && node.operator === '+') {
    return { kind: 'float', message: 'unary plus makes a number' };
  }
  if (node.type === 'MemberExpression' && isNode(node.property)) {
    const name = node.property.name;
    if (typeof name === 'string' && node.computed === false && bannedMembers.has(name)) {
      return { kind: 'float', message: `.${name} belongs to floats or locales` };
    }
  }
  return undefined;
}

// A marker covers its own line and, when it stands in a block of comments, the first line of code below that block.
function excusedLines(text: string, source: Source): { lines: ReadonlySet<number>; file: boolean } {
  const commentLines = new Set<number>();
  const lines = new Set<number>();
  let file = false;
  for (const comment of source.comments) {
    const first = lineAt(text, comment.start);
    const last = lineAt(text, comment.end - 1);
    const standsAlone =
      text.slice(text.lastIndexOf('\n', comment.start) + 1, comment.start).trim() === '';
    if (standsAlone) for (let line = first; line <= last; line += 1) commentLines.add(line);
    if (/\bexact-file: \S/.test(comment.value) && first <= openingLines) file = true;
    if (/\bexact: \S/.test(comment.value)) lines.add(last);
  }
  for (const marker of [...lines]) {
    let below = marker;
    while (commentLines.has(below)) below += 1;
    lines.add(below);
  }
  return { lines, file };
}

function isExcused(
  node: SyntaxNode,
  ancestors: readonly SyntaxNode[],
  text: string,
  lines: ReadonlySet<number>,
): boolean {
  for (const candidate of [...ancestors, node]) {
    if (candidate.type === 'Program') continue;
    if (lines.has(lineAt(text, candidate.start))) return true;
  }
  return false;
}
