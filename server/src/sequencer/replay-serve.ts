// The thread's side of a replay: loads the newest snapshot, applies what it is fed, and does something with the end.
import { parentPort, workerData } from 'node:worker_threads';
import { linkOf } from './record.ts';
import { type OutcomeCheck, replayRecord, type Standing } from './replay.ts';
import type { ThreadFeed, ThreadReport } from './replay-thread.ts';
import { SnapshotStore } from './snapshots.ts';

/** Does nothing where there is no one to serve; the folder of the snapshots comes with the thread. */
export function serveReplay(
  check: OutcomeCheck,
  finish: (standing: Standing, store: SnapshotStore) => unknown,
): void {
  const port = parentPort;
  if (port === null) return;
  const report = (message: ThreadReport): void => port.postMessage(message);
  const store = new SnapshotStore(String(workerData), 'shared');
  const base = store.newest(Number.MAX_SAFE_INTEGER, () => {});
  if (base === null) throw new Error('there is no good snapshot to start from');
  const { state } = base;
  let { link } = base;
  report({ kind: 'began', seq: link.seq });
  port.on('message', (feed: ThreadFeed) => {
    if (feed.kind === 'finish') {
      report({ kind: 'finished', result: finish({ state, link }, store) });
      port.close();
      return;
    }
    try {
      for (const record of feed.records) {
        replayRecord(state, record, link, check);
        link = linkOf(record);
      }
      report({ kind: 'applied' });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report({
        kind: 'diverged',
        message: `a replay of the journal fails after ${link.seq}: ${reason}`,
      });
    }
  });
}
