// The one test command: installs if needed, then runs every check and every test under Node 24.
import { runUnderNode } from './bootstrap.mjs';

process.exit(
  await runUnderNode(['scripts/check.ts', ...process.argv.slice(2)], { needsTools: true }),
);
