// How Node runs this repository's programs: measured on the order path, see docs/decisions/0016-node-flags.md.
import { totalmem } from 'node:os';

const HEAP_MB = 256;
const SERVER_HEAP_MB = 288;
const MEMORY_PART = 8;
const BYTES_PER_MB = 1_048_576;
const heapMbMax = Math.floor(totalmem() / MEMORY_PART / BYTES_PER_MB);

export const nodeFlags = [
  // An order passes through dozens of small functions; inlined, most of what they hand on is never allocated.
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=3000',
  // Few objects outlive their command: rare collections copy less, and one thread does them at least cost.
  '--min-semi-space-size=16',
  // Left alone it grows to 64 MB: memory in which nothing lives for long, and longer pauses to collect it.
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  // By default up to four threads mark at once: on a small machine they leave a fifth of a core to whoever serves.
  '--concurrent-marking-max-worker-num=1',
  // Orders stay: looking through all of them for garbage pays only once there is a good deal of it.
  `--initial-old-space-size=${Math.min(HEAP_MB, heapMbMax)}`,
];

// For a server, beside the others.
export const serverFlags = [
  // What is on its way between a request and its answer outlives small collections, only to be garbage among the old.
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  // It gathers orders for days.
  `--initial-old-space-size=${Math.min(SERVER_HEAP_MB, heapMbMax)}`,
  // After that, garbage is looked for when there may be a quarter as much of it as of what lives.
  '--heap-growing-percent=25',
  // Flat tables lie outside the heap: by default every 64 MB that they grow by mean a look through all of it.
  '--external-memory-accounted-in-global-limit',
];
