// Runs a TypeScript program of this repository under Node 24: node scripts/run.mjs sim/src/main.ts --seed 1
import { fileURLToPath } from 'node:url';
import { runUnderNode } from './bootstrap.mjs';
import { nodeFlags, serverFlags } from './node-flags.mjs';

// Stripping types and compiling take half of the time until a server begins; Node keeps what came of it here.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../node_modules/.cache/node-compile', import.meta.url),
);

// On Linux, memory that one thread has freed is then used by the others, instead of up to eight heaps for each core.
process.env.MALLOC_ARENA_MAX ??= '2';

const args = process.argv.slice(2);
const isServer = args.includes('server/src/main.ts');
process.exit(await runUnderNode([...nodeFlags, ...(isServer ? serverFlags : []), ...args]));
