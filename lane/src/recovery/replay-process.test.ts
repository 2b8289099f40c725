import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createState } from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { ReplayProcess } from './replay-process.ts';
import { feedReplay } from './replay-thread.ts';
import { SnapshotStore } from './snapshots.ts';

const PROGRAM = new URL('./snapshot-worker.ts', import.meta.url);
const BEGINNING = { seq: 0, hash: '0'.repeat(64), tsMs: 0, epoch: 0 };

describe('[MM6] a snapshot is made by a process of its own', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'replay-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('that says how far it came, and is gone once it is not needed', async () => {
    new SnapshotStore(folder).save(createState('sandbox'), BEGINNING);
    const replaying = new ReplayProcess(PROGRAM, folder);
    expect(await feedReplay(replaying, new MemoryJournal(), 0)).toBe(0);
    const gone = once(replaying, 'exit');
    await replaying.terminate();
    await gone;
  });

  it('that says why it came to nothing', async () => {
    const replaying = new ReplayProcess(PROGRAM, folder);
    await expect(feedReplay(replaying, new MemoryJournal(), 0)).rejects.toThrow(
      'there is no good snapshot to start from',
    );
    await replaying.terminate();
  });

  it('that does not outlive the server', async () => {
    new SnapshotStore(folder).save(createState('sandbox'), BEGINNING);
    const child = fork(fileURLToPath(PROGRAM), [folder], {
      serialization: 'advanced',
      execArgv: [],
    });
    const [began] = await once(child, 'message');
    expect(began).toEqual({ kind: 'began', seq: 0 });
    // As when the other end of the line dies, however it does.
    child.disconnect();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });
});
