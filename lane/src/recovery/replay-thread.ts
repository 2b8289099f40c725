// A replay in a thread of its own, beside the running lane: from the newest snapshot to a given command.
import type { EventEmitter } from 'node:events';
import type { Journal, JournalCommit } from '../journal/journal.ts';

/** To the thread: the next page, or the end of what it shall see. */
export type ThreadFeed =
  | { readonly kind: 'page'; readonly commits: readonly JournalCommit[] }
  | { readonly kind: 'finish' };

/** From the thread. */
export type ThreadReport =
  | { readonly kind: 'began'; readonly seq: number }
  | { readonly kind: 'applied' }
  | { readonly kind: 'finished'; readonly result: unknown }
  | { readonly kind: 'diverged'; readonly message: string };

/** A worker thread, or a process that speaks like one. */
export interface Replaying extends EventEmitter {
  postMessage(feed: ThreadFeed): void;
}

/** The replay came to something else than was journaled. */
export class Divergence extends Error {}

/** What the thread made of the state after `untilSeq`, or after its snapshot if that is later. */
export async function feedReplay(
  worker: Replaying,
  journal: Pick<Journal, 'read'>,
  untilSeq: number,
  progress: (seq: number) => void = () => {},
): Promise<unknown> {
  const reports = reportsOf(worker);
  const began = await reports.next();
  if (began.kind !== 'began') throw new Error('the thread did not begin');
  progress(began.seq);
  for await (const page of journal.read(began.seq + 1)) {
    const commits = page.filter((commit) => commit.seq <= untilSeq);
    if (commits.length === 0) break;
    worker.postMessage({ kind: 'page', commits } satisfies ThreadFeed);
    await reports.next();
    progress(commits[commits.length - 1]!.seq);
  }
  return finishReplay(worker);
}

/** What the thread makes of the state that it has come to, which may be short of the end after a divergence. */
export async function finishReplay(worker: Replaying): Promise<unknown> {
  worker.postMessage({ kind: 'finish' } satisfies ThreadFeed);
  const finished = await reportsOf(worker).next();
  if (finished.kind !== 'finished') throw new Error('the thread did not finish');
  return finished.result;
}

/** One report at a time, so that the thread is never fed faster than it eats. */
function reportsOf(worker: Replaying): { next(): Promise<ThreadReport> } {
  const next = () =>
    new Promise<ThreadReport>((resolve, reject) => {
      const settle = (act: () => void) => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        act();
      };
      const onMessage = (report: ThreadReport) =>
        settle(() =>
          report.kind === 'diverged' ? reject(new Divergence(report.message)) : resolve(report),
        );
      const onError = (error: unknown) => settle(() => reject(error));
      const onExit = () => settle(() => reject(new Error('its thread ended')));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  return { next };
}
