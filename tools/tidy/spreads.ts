// Refuses the spread of an object literal in sources: its fields stand where they are.
import { isNode, parseSource, walk } from './syntax.ts';
import { isTest, lineAt, type Problem, readText } from './tree.ts';

export function checkSpreads(root: string, files: readonly string[]): readonly Problem[] {
  return files.filter(isSource).flatMap((file) => {
    const text = readText(root, file);
    if (!text.includes('...{')) return [];
    const problems: Problem[] = [];
    walk(parseSource(file, text).program, (node) => {
      const { type, argument, start } = node;
      if (type !== 'SpreadElement' || !isNode(argument)) return;
      if (argument.type !== 'ObjectExpression') return;
      const message = 'an object literal is spread: write its fields instead';
      problems.push({ file, line: lineAt(text, start), check: 'spreads', message });
    });
    return problems;
  });
}

function isSource(file: string): boolean {
  return /\/src\/.*\.tsx?$/.test(file) && !isTest(file);
}
