// The thread of a reconciliation: replays beside the lane, and examines what it came to.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { serveReplay } from '@sibyl/lane';
import { examine } from './examination.ts';

yieldToOthers();
serveReplay('sample', ({ state }) => examine(state));

/** Where a thread has a priority of its own, this one comes after those that serve, yet is never starved by them. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1);
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Then it shares the time evenly.
  }
}
