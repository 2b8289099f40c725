// Runs a TypeScript program of this repository under Node 24: node scripts/run.mjs sim/src/main.ts --seed 1
// With --tools first, the tools for building and testing are installed before, if they are not there.
import { runUnderNode, SERVER } from './bootstrap.mjs';
import { nodeFlags, serverFlags } from './node-flags.mjs';

// On Linux, memory that one thread has freed is then used by the others, instead of up to eight heaps for each core.
process.env.MALLOC_ARENA_MAX ??= '2';

const given = process.argv.slice(2);
const needsTools = given[0] === '--tools';
const args = needsTools ? given.slice(1) : given;
const flags = [...nodeFlags, ...(args.includes(SERVER) ? serverFlags : [])];
process.exit(await runUnderNode([...flags, ...args], { needsTools }));
