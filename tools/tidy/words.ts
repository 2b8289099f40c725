// Bans words and file names that postpone a decision, and asks each file to say what it is responsible for.
import path from 'node:path';
import { isTest, lineAt, type Problem, readText } from './tree.ts';

// Spelled in two halves so that this file does not accuse itself.
const bannedWord = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`, 'g');
const bannedName = /(^|-)(utils?|helpers?|misc|common|shared)(-|\.|$)/;

export function checkWords(root: string, files: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    for (const segment of file.split('/')) {
      if (!bannedName.test(segment)) continue;
      const message = `"${segment}" says nothing; name the file after what it contains`;
      problems.push({ file, line: 1, check: 'names', message });
    }
    if (!/\.(ts|tsx|mjs)$/.test(file)) continue;
    const text = readText(root, file);
    for (const match of text.matchAll(bannedWord)) {
      const message = `"${match[0]}" postpones a decision; make it, or open an issue`;
      problems.push({ file, line: lineAt(text, match.index), check: 'words', message });
    }
    if (!isTest(file) && !startsWithComment(text)) {
      const message = `${path.basename(file)} must open with a comment sentence stating its responsibility`;
      problems.push({ file, line: 1, check: 'opening', message });
    }
  }
  return problems;
}

function startsWithComment(text: string): boolean {
  const body = text.startsWith('#!') ? text.slice(text.indexOf('\n') + 1) : text;
  return body.startsWith('// ') || body.startsWith('/*');
}
