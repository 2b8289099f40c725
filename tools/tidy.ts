// Runs every check that neither the compiler nor the linter can express, and names each breach by file and line.
import path from 'node:path';
import { checkCircles } from './tidy/circles.ts';
import { checkDocs } from './tidy/docs.ts';
import { checkFloats } from './tidy/floats.ts';
import { checkManifests } from './tidy/manifests.ts';
import { checkRules } from './tidy/rules.ts';
import { checkSpreads } from './tidy/spreads.ts';
import { listFiles, type Problem } from './tidy/tree.ts';
import { checkWords } from './tidy/words.ts';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const files = listFiles(root);
const problems: Problem[] = [
  ...checkWords(root, files),
  ...checkFloats(root, files),
  ...checkCircles(root, files),
  ...checkSpreads(root, files),
  ...checkRules(root, files),
  ...checkDocs(root, files),
  ...checkManifests(root, files),
];

for (const problem of problems) {
  console.log(`${problem.file}:${problem.line} ${problem.check}: ${problem.message}`);
}
console.log(`tidy: ${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
