// sibyl rebuild: makes a lane's read model anew from the journal, or begins an empty store of webhooks where it is lost.

import { existsSync, rmSync } from 'node:fs';
import type { LaneName } from '@sibyl/engine';
import { LiveHistory } from '@sibyl/history';
import { type RecoveryProgress, replayAfter } from '@sibyl/lane';
import {
  hasPlatform,
  laneFolder,
  openWebhooks,
  readStoresOf,
  webhooksFile,
} from '../stores/open-stores.ts';
import { readMarker } from '../stores/postgres-records.ts';
import { requireWhole } from '../stores/whole-folder.ts';
import { DataUnusable } from './copies.ts';
import { withLane } from './data-folder.ts';

/** For a folder whose webhooks no backup has. */
export async function beginWebhooks(dataDir: string): Promise<void> {
  requireWhole(dataDir, null);
  const file = webhooksFile(dataDir);
  const location = readMarker(dataDir);
  if (location !== null) throw new DataUnusable(`the webhooks of ${dataDir} are at ${location}`);
  if (existsSync(file)) throw new DataUnusable(`${file} is there: nothing has to be made anew`);
  if (!hasPlatform(dataDir)) throw new DataUnusable(`${dataDir} has no users`);
  // Left over from the one that is lost.
  for (const beside of ['-sums', '-wal', '-shm']) rmSync(`${file}${beside}`, { force: true });
  await (await openWebhooks(dataDir)).close();
}

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
