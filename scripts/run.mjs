// Runs a TypeScript program of this repository under Node 24: node scripts/run.mjs sim/src/main.ts --seed 1
import { runUnderNode } from './bootstrap.mjs';

process.exit(await runUnderNode(process.argv.slice(2)));
