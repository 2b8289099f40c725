// The thread of a snapshot: loads the one before, replays what it is fed, saves.
import { parentPort, workerData } from 'node:worker_threads';
import { linkOf } from './record.ts';
import { replayRecord } from './replay.ts';
import type { MakerFeed, MakerReport } from './snapshot-maker.ts';
import { SnapshotStore } from './snapshots.ts';

if (parentPort !== null) serve(parentPort, String(workerData));

function serve(port: NonNullable<typeof parentPort>, directory: string): void {
  const report = (message: MakerReport): void => port.postMessage(message);
  const store = new SnapshotStore(directory);
  const base = store.newest(Number.MAX_SAFE_INTEGER, () => {});
  if (base === null) throw new Error('there is no good snapshot to start from');
  let { link } = base;
  report({ kind: 'began', seq: link.seq });
  port.on('message', (feed: MakerFeed) => {
    if (feed.kind === 'save') {
      store.save(base.state, link);
      report({ kind: 'saved', seq: link.seq });
      port.close();
      return;
    }
    try {
      for (const record of feed.records) {
        replayRecord(base.state, record, link, 'all');
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
