// Runs a TypeScript program of this repository under Node 24: node scripts/run.mjs sim/src/main.ts --seed 1
import { runUnderNode } from './bootstrap.mjs';
import { nodeFlags } from './node-flags.mjs';

process.exit(await runUnderNode([...nodeFlags, ...process.argv.slice(2)]));
