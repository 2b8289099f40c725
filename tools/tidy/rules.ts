// Holds the books of rules and the tests to each other: every rule has a test, every test names a rule that exists.
import { isNode, parseSource, type SyntaxNode, walk } from './syntax.ts';
import { lineAt, type Problem, readText } from './tree.ts';

const ruleLine = /^- \*\*([A-Z]{1,2}\d+[a-z]?)\*\* \S/gm;
const titleIds = /\[([A-Z]{1,2}\d+[a-z]?(?:, ?[A-Z]{1,2}\d+[a-z]?)*)\]/g;
const startsWithId = /^\[[A-Z]{1,2}\d+[a-z]?(?:, ?[A-Z]{1,2}\d+[a-z]?)*\]/;

type Book = {
  readonly file: string;
  /** Tests here must be titled by a rule. */
  readonly titled: readonly string[];
  /** Tests here may be, and count when they are. */
  readonly counted: readonly string[];
  /** Whether the ids in the titles of its tests are all its own. */
  readonly isComplete: boolean;
};

const books: readonly Book[] = [
  {
    file: 'engine/SPEC.md',
    titled: ['money/', 'engine/'],
    counted: ['money/', 'engine/', 'sim/'],
    isComplete: true,
  },
  {
    file: 'lane/SPEC.md',
    titled: [],
    counted: ['lane/', 'server/'],
    isComplete: false,
  },
  {
    file: 'history/SPEC.md',
    titled: [],
    counted: ['history/', 'server/'],
    isComplete: false,
  },
  {
    file: 'server/SPEC.md',
    titled: [],
    counted: ['server/', 'cli/', 'contract/', 'sdk/', 'tools/'],
    isComplete: false,
  },
  { file: 'web/SPEC.md', titled: ['web/test/'], counted: ['web/'], isComplete: true },
];

type Title = { readonly file: string; readonly line: number; readonly text: string };

export function checkRules(
  root: string,
  files: readonly string[],
  notes: string[],
): readonly Problem[] {
  const owners = new Map<string, string>();
  return books.flatMap((book) => {
    if (files.includes(book.file)) return checkBook(root, files, book, owners);
    notes.push(`${book.file} does not exist yet; its rules are not checked`);
    return [];
  });
}

/** `owners` has the book of every id that was seen before. */
function checkBook(
  root: string,
  files: readonly string[],
  book: Book,
  owners: Map<string, string>,
): readonly Problem[] {
  const problems: Problem[] = [];
  const rules = readRules(book.file, readText(root, book.file), problems);
  for (const [id, line] of rules) {
    const owner = owners.get(id);
    if (owner !== undefined) {
      const message = `${id} is a rule of ${owner} already`;
      problems.push({ file: book.file, line, check: 'rules', message });
    }
    owners.set(id, book.file);
  }
  const tested = new Set<string>();
  for (const title of readTitles(root, files, book.counted)) {
    const mustName = book.titled.some((folder) => title.file.startsWith(folder));
    if (mustName && !startsWithId.test(title.text)) {
      problems.push(problemAt(title, `the title "${title.text}" must begin with a rule id`));
    }
    for (const match of title.text.matchAll(titleIds)) {
      for (const id of (match[1] ?? '').split(/, ?/)) {
        if (book.isComplete && !rules.has(id))
          problems.push(problemAt(title, `${id} is not a rule of ${book.file}`));
        tested.add(id);
      }
    }
  }
  for (const [id, line] of rules) {
    if (tested.has(id)) continue;
    problems.push({ file: book.file, line, check: 'rules', message: `${id} has no test` });
  }
  return problems;
}

function readRules(file: string, spec: string, problems: Problem[]): ReadonlyMap<string, number> {
  const rules = new Map<string, number>();
  for (const match of spec.matchAll(ruleLine)) {
    const id = match[1] ?? '';
    const line = lineAt(spec, match.index);
    if (rules.has(id)) {
      problems.push({ file, line, check: 'rules', message: `${id} is defined twice` });
    }
    rules.set(id, line);
  }
  if (rules.size === 0) {
    const message = 'no rule found; a rule is a line `- **OB1** text`';
    problems.push({ file, line: 1, check: 'rules', message });
  }
  return rules;
}

// A test inside a describe is known by the describe's title too, so the ids of a whole group may stand there.
function readTitles(
  root: string,
  files: readonly string[],
  folders: readonly string[],
): readonly Title[] {
  const titles: Title[] = [];
  for (const file of files) {
    if (!file.endsWith('.test.ts')) continue;
    if (!folders.some((folder) => file.startsWith(folder))) continue;
    const text = readText(root, file);
    walk(parseSource(file, text).program, (node, ancestors) => {
      if (!isCallOf(node, ['test', 'it'])) return;
      const groups = ancestors.filter((ancestor) => isCallOf(ancestor, ['describe']));
      const parts = [...groups, node].map((call) => titleOf(call, text));
      const first = parts.findIndex((part) => startsWithId.test(part));
      const shown = first === -1 ? parts : parts.slice(first);
      titles.push({ file, line: lineAt(text, node.start), text: shown.join(' ') });
    });
  }
  return titles;
}

// True for test(...), test.each(table)(...), test.concurrent(...), but not for the inner test.each(table).
function isCallOf(node: SyntaxNode, names: readonly string[]): boolean {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false;
  if (titleNode(node) === undefined) return false;
  let callee: SyntaxNode = node.callee;
  while (callee.type !== 'Identifier') {
    const inner = callee.type === 'MemberExpression' ? callee.object : callee.callee;
    if (!isNode(inner)) return false;
    callee = inner;
  }
  return names.includes(String(callee.name));
}

function titleNode(call: SyntaxNode): SyntaxNode | undefined {
  const [first, second] = Array.isArray(call.arguments) ? call.arguments : [];
  if (!isNode(first) || second === undefined) return undefined;
  return first;
}

function titleOf(call: SyntaxNode, text: string): string {
  const node = titleNode(call);
  if (node === undefined) return '';
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return text.slice(node.start + 1, node.end - 1);
}

function problemAt(title: Title, message: string): Problem {
  return { file: title.file, line: title.line, check: 'rules', message };
}
