// sibyl rebuild: throws a lane's read model away and makes it anew from the journal.

import type { LaneName } from '@sibyl/engine';
import { LiveHistory } from '@sibyl/history';
import { type RecoveryProgress, replayAfter } from '@sibyl/lane';
import { laneFolder, readStoresOf } from '../stores/open-stores.ts';
import { withLane } from './data-folder.ts';

export function rebuildLane(
  dataDir: string,
  lane: LaneName,
  progress: (progress: RecoveryProgress) => void,
): Promise<number> {
  const folder = laneFolder(dataDir, lane);
  return withLane(folder, lane, async (source) => {
    const { seq: headSeq } = await source.journal.head();
    const { projector } = await LiveHistory.open({
      store: readStoresOf(folder).anew(),
      failed: (error) => {
        throw error;
      },
    });
    try {
      await projector.follow({
        async *replayAfter(afterSeq, begin) {
          for await (const batch of replayAfter(source, afterSeq, begin)) {
            yield batch;
            progress({ seq: batch.at(-1)?.command.seq ?? 0, headSeq });
          }
        },
        onCommitted: () => () => undefined,
        status: () => ({ durableSeq: headSeq }),
      });
      if (projector.failure !== null) throw projector.failure;
      return projector.seq;
    } finally {
      await projector.close();
    }
  });
}
