// Lists the files a person wrote, and holds the shape of what a check reports about them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Problem = {
  readonly file: string;
  readonly line: number;
  readonly check: string;
  readonly message: string;
};

const ignoredDirectories = new Set([
  'node_modules',
  'build',
  'dist',
  'data',
  'coverage',
  'generated',
]);

// Paths are relative to root, with forward slashes, in a stable order.
export function listFiles(root: string): readonly string[] {
  const found: string[] = [];
  const visit = (directory: string): void => {
    const entries = readdirSync(path.join(root, directory), { withFileTypes: true });
    for (const entry of entries) {
      if (entry.name.startsWith('.') || ignoredDirectories.has(entry.name)) continue;
      const relative = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory()) visit(relative);
      else if (entry.isFile()) found.push(relative);
    }
  };
  visit('');
  return found.sort();
}

export function readText(root: string, file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

export function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.endsWith('.test.tsx') || file.split('/')[1] === 'test';
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
