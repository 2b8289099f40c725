// Keeps the documentation true: its links, the commands it names and the paths it mentions must exist.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { lineAt, type Problem, readText } from './tree.ts';

const architectureFile = 'docs/ARCHITECTURE.md';
const architectureLinesMax = 300;
const links = /\]\((?!https?:|mailto:|#)([^)\s]+)\)/g;
const commands =
  /\bnpm (?:run (?<script>[\w:-]+)(?<elsewhere> -w | --workspace)?|(?<builtin>start|test)\b)/g;
const mentionedPath = /`([a-z]+\/[\w./-]+)`/g;

export function checkDocs(root: string, files: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  const scripts = readScripts(root);
  const folders = new Set(
    files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
  );
  for (const file of files) {
    if (!file.endsWith('.md')) continue;
    const text = readText(root, file);
    const report = (offset: number, message: string): void => {
      problems.push({ file, line: lineAt(text, offset), check: 'docs', message });
    };
    for (const match of text.matchAll(links)) {
      const target = (match[1] ?? '').split('#')[0] ?? '';
      if (existsSync(path.join(root, path.dirname(file), target))) continue;
      report(match.index, `link to ${target} leads nowhere`);
    }
    for (const match of text.matchAll(commands)) {
      if (match.groups?.elsewhere !== undefined) continue;
      const script = match.groups?.script ?? match.groups?.builtin ?? '';
      if (!scripts.has(script)) report(match.index, `package.json has no script "${script}"`);
    }
    // A decision record speaks of its own day; later moves do not make it wrong.
    if (file.startsWith('docs/decisions/')) continue;
    for (const match of text.matchAll(mentionedPath)) {
      const mentioned = match[1] ?? '';
      if (!folders.has(mentioned.split('/')[0])) continue;
      if (!existsSync(path.join(root, mentioned)))
        report(match.index, `${mentioned} does not exist`);
    }
    const lines = lineAt(text, text.length - 1);
    if (file === architectureFile && lines > architectureLinesMax) {
      report(text.length - 1, `${lines} lines; at most ${architectureLinesMax} are read`);
    }
  }
  return problems;
}

function readScripts(root: string): ReadonlySet<string> {
  const manifest: unknown = JSON.parse(readText(root, 'package.json'));
  if (typeof manifest !== 'object' || manifest === null || !('scripts' in manifest))
    return new Set();
  return new Set(Object.keys(manifest.scripts ?? {}));
}
