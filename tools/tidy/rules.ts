// Holds the SPEC.md files and the tests to each other: every rule stands in one of them and has a test, every test names a rule.
import { isNode, parseSource, type SyntaxNode, walk } from './syntax.ts';
import { lineAt, type Problem, readText } from './tree.ts';

// A book is the SPEC.md of a folder at the root.
const bookFile = /^[^/]+\/SPEC\.md$/;
const idForm = '[A-Z]{1,3}\\d+[a-z]?';
const rule = new RegExp(`^- \\*\\*${idForm}\\*\\* \\S`);
const ids = new RegExp(`^${idForm}(?:, ?${idForm})*$`);
// Whatever looks like a rule or like ids is read, so that what is in another form is told and not passed over.
const likeRule = /^[ \t]*[-*|] *(?:\*\*)?([A-Z]+\d[^\s*|]*)(?:\*\*| *\|).*$/gm;
const likeIds = /\[([A-Z]+\d[^\]]*)\]/g;
const beginsLikeIds = /^\[[A-Z]+\d[^\]]*\]/;

type Rule = { readonly id: string; readonly file: string; readonly line: number };
type Title = { readonly file: string; readonly line: number; readonly text: string };

export function checkRules(root: string, files: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  const rules = readBooks(root, files, problems);
  const titles = readTitles(root, files);
  const tested = new Set<string>();
  for (const title of titles) {
    for (const id of idsOf(title, problems)) {
      if (!rules.has(id)) problems.push(problemAt(title, `${id} is a rule of no book`));
      tested.add(id);
    }
  }
  for (const { id, file, line } of rules.values()) {
    if (tested.has(id)) continue;
    problems.push({ file, line, check: 'rules', message: `${id} has no test` });
  }
  for (const folder of new Set(titles.map(({ file }) => file.slice(0, file.indexOf('/'))))) {
    const file = `${folder}/SPEC.md`;
    if (files.includes(file)) continue;
    const message = `${folder} has tests and no book that says what they hold it to`;
    problems.push({ file, line: 1, check: 'rules', message });
  }
  return problems;
}

function readBooks(
  root: string,
  files: readonly string[],
  problems: Problem[],
): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  for (const file of files) {
    if (!bookFile.test(file)) continue;
    const text = readText(root, file);
    const report = (line: number, message: string): void => {
      problems.push({ file, line, check: 'rules', message });
    };
    let found = 0;
    for (const match of text.matchAll(likeRule)) {
      const id = match[1] ?? '';
      const line = lineAt(text, match.index);
      if (!rule.test(match[0])) {
        report(line, `${id} is no rule as it stands; a rule is a line \`- **OB1** text\``);
        continue;
      }
      found += 1;
      const owner = rules.get(id);
      if (owner !== undefined) report(line, `${id} is a rule of ${owner.file} already`);
      rules.set(id, { id, file, line });
    }
    if (found === 0) report(1, 'no rule found; a rule is a line `- **OB1** text`');
  }
  return rules;
}

function idsOf(title: Title, problems: Problem[]): readonly string[] {
  if (!beginsLikeIds.test(title.text)) {
    problems.push(problemAt(title, `the title "${title.text}" must begin with a rule id`));
  }
  return [...title.text.matchAll(likeIds)].flatMap(([whole, list = '']) => {
    if (ids.test(list)) return list.split(/, ?/);
    problems.push(problemAt(title, `${whole} is no list of rule ids`));
    return [];
  });
}

// A test inside a describe is known by the describe's title too, so the ids of a whole group may stand there.
function readTitles(root: string, files: readonly string[]): readonly Title[] {
  const titles: Title[] = [];
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    const text = readText(root, file);
    // Suites that several test files share are written in files of other names.
    if (!text.includes("from 'vitest'")) continue;
    walk(parseSource(file, text).program, (node, ancestors) => {
      if (!isCallOf(node, ['test', 'it'])) return;
      const groups = ancestors.filter((ancestor) => isCallOf(ancestor, ['describe']));
      const parts = [...groups, node].map((call) => titleOf(call, text));
      const first = parts.findIndex((part) => beginsLikeIds.test(part));
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
