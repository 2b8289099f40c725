// The side of a thread, or of a process, that replays: loads the newest snapshot, applies what it is fed, and does something with the end.
import { parentPort, workerData } from 'node:worker_threads';
import type { State } from '@sibyl/engine';
import type { ChainLink } from '../journal/chain.ts';
import { ENGINES } from '../logic/engines.ts';
import { type OutcomeCheck, Replayer } from './replay.ts';
import type { ThreadFeed, ThreadReport } from './replay-thread.ts';
import { SnapshotStore } from './snapshots.ts';

/** Who asked for the replay. */
interface Asker {
  readonly directory: string;
  report(message: ThreadReport): void;
  onFeed(take: (feed: ThreadFeed) => void): void;
  close(): void;
}

/** What the replay came to, as the engine of this build has it. */
interface Replayed {
  readonly state: State;
  readonly link: ChainLink;
}

/** Does nothing where there is no one to serve; the folder of the snapshots comes with the thread or process. */
export function serveReplay(
  check: OutcomeCheck,
  finish: (end: Replayed, store: SnapshotStore) => unknown,
): void {
  const asker = askerOfThread() ?? askerOfProcess();
  if (asker === null) return;
  const report = (message: ThreadReport): void => asker.report(message);
  const store = new SnapshotStore(asker.directory, 'shared');
  const base = store.newest(Number.MAX_SAFE_INTEGER, () => {});
  if (base === null) throw new Error('there is no good snapshot to start from');
  const replayer = new Replayer(base, check, ENGINES);
  report({ kind: 'began', seq: base.link.seq });
  asker.onFeed((feed) => {
    if (feed.kind === 'finish') {
      const state = ENGINES.today(replayer.ruled);
      report({ kind: 'finished', result: finish({ state, link: replayer.link }, store) });
      asker.close();
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
        message: `a replay of the journal fails after ${replayer.ruled.state.seq}: ${reason}`,
      });
    }
  });
}

function askerOfThread(): Asker | null {
  const port = parentPort;
  if (port === null) return null;
  return {
    directory: String(workerData),
    report: (message) => port.postMessage(message),
    onFeed: (take) => void port.on('message', take),
    close: () => port.close(),
  };
}

function askerOfProcess(): Asker | null {
  const { send } = process;
  if (send === undefined) return null;
  // Whoever asked is gone, killed perhaps: nobody waits for the end any more.
  process.once('disconnect', () => process.exit());
  return {
    directory: process.argv[2] ?? '',
    report: (message) => void send.call(process, message),
    onFeed: (take) => void process.on('message', take),
    // Until then the last report may be on its way: the asker ends this process.
    close: () => undefined,
  };
}
