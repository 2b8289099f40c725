// The thread's side of a replay: loads the newest snapshot, applies what it is fed, and does something with the end.
import { parentPort, workerData } from 'node:worker_threads';
import { type OutcomeCheck, Replayer, type Standing } from './replay.ts';
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
  const replayer = new Replayer(base, check);
  report({ kind: 'began', seq: base.link.seq });
  port.on('message', (feed: ThreadFeed) => {
    if (feed.kind === 'finish') {
      report({ kind: 'finished', result: finish({ state, link: replayer.link }, store) });
      port.close();
      return;
    }
    try {
      for (const commit of feed.commits) {
        replayer.open(commit);
        while (replayer.next() !== null);
      }
      report({ kind: 'applied' });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report({
        kind: 'diverged',
        message: `a replay of the journal fails after ${state.seq}: ${reason}`,
      });
    }
  });
}
