import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

/** The young generation of a thread and of the main one, each after more garbage than it holds. */
const PROGRAM = `
  import { Worker } from 'node:worker_threads';
  import { sparingThreads } from '${path.join(import.meta.dirname, 'collector.ts')}';
  const measure = \`(() => {
    const kept = [];
    for (let count = 0; count < 6_000_000; count += 1) kept[count % 100_000] = { count };
    const spaces = require('node:v8').getHeapSpaceStatistics();
    return spaces.find(({ space_name: name }) => name === 'new_space').space_size;
  })()\`;
  sparingThreads();
  const thread = new Worker(\`require('node:worker_threads').parentPort.postMessage(\${measure})\`, { eval: true });
  thread.once('message', (bytes) => {
    const { createRequire } = process.getBuiltinModule('node:module');
    globalThis.require = createRequire(import.meta.url);
    console.log(JSON.stringify({ thread: bytes, main: (0, eval)(measure) }));
  });
`;
const MB = 1_048_576;

it('[MM7] a thread does not begin with the heap that the main thread was given', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'collector-'));
  const program = path.join(folder, 'program.mjs');
  writeFileSync(program, PROGRAM);
  const flags = ['--min-semi-space-size=32', '--max-semi-space-size=32'];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, program], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('');
  const { thread, main } = JSON.parse(stdout);
  expect(main).toBe(64 * MB);
  expect(thread).toBeLessThanOrEqual(8 * MB);
});
