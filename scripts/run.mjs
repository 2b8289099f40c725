// Runs a TypeScript program of this repository under Node 24: node scripts/run.mjs sim/src/main.ts --seed 1
import { runUnderNode } from './bootstrap.mjs';
import { nodeFlags, serverFlags } from './node-flags.mjs';

const args = process.argv.slice(2);
const isServer = args.includes('server/src/main.ts');
process.exit(await runUnderNode([...nodeFlags, ...(isServer ? serverFlags : []), ...args]));
