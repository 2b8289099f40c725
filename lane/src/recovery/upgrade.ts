// The upgrade of a journal: the state that a former engine left is carried over, and the journal says so before anything else.

import { linkOf, sealCommit } from '../journal/chain.ts';
import { type Journal, JournalFull } from '../journal/journal.ts';
import { ENGINES, type Ruled } from '../logic/engines.ts';
import { writeRecord } from '../record/record.ts';
import { type CommittedCommand, commandOf } from '../record/submission.ts';
import { TextSheet } from '../record/text-sheet.ts';
import { type Checkpoint, hashOf, type ReplaySource } from './replay.ts';

/** A boundary between two engines that was written into the journal. */
export interface UpgradeStep {
  /** For the log. */
  readonly message: string;
  readonly checkpoint: Checkpoint;
  /** As the newer engine said it. */
  readonly committed: CommittedCommand;
}

/** Nothing was written; the folder is as it was, and a build of its own logic still runs it. */
class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
}

/**
 * One boundary at a time, each in a commit of its own, durable when it is yielded: whoever is cut off in between goes on
 * from the last one that is in the journal.
 */
export async function* upgrades(
  { journal, engines = ENGINES }: ReplaySource,
  from: Checkpoint,
  epoch: number,
): AsyncGenerator<UpgradeStep> {
  let checkpoint = from;
  while (checkpoint.engine !== engines.current) {
    const before = checkpoint;
    const after = engines.carry(before, 'the next is');
    const step = await written(journal, before, after, epoch);
    checkpoint = step.checkpoint;
    yield step;
  }
}

async function written(
  journal: Journal,
  before: Checkpoint,
  after: Ruled,
  epoch: number,
): Promise<UpgradeStep> {
  const { engine, state } = after;
  const { link } = before;
  const seq = link.seq + 1;
  const fromLogic = before.engine.logic;
  const toLogic = engine.logic;
  const hashes = { hashBefore: hashOf(before), hashAfter: hashOf(after) };
  const body = { type: 'upgrade_engine', fromLogic, toLogic, ...hashes } as const;
  // No time passes, so that nothing rings: the recovery that follows knows what time it is.
  const command = commandOf({ body, actor: { kind: 'system' } }, seq, link.tsMs);
  const outcome = engine.apply(state, command);
  const sheet = new TextSheet();
  sheet.begin();
  writeRecord(sheet, command, engine.outcomeDigest(outcome), { requestId: 'upgrade' }, 0);
  const records = sheet.written();
  const commit = sealCommit({ seq, epoch, tsMs: link.tsMs, records }, link);
  await journal.append(commit, epoch).catch((error: unknown) => {
    if (!(error instanceof JournalFull)) throw error;
    throw new UpgradeRefused(
      `the upgrade from engine logic ${fromLogic} to ${toLogic} found no space: ${error.message}; nothing was changed`,
    );
  });
  return {
    message: `command ${seq} upgraded the lane from engine logic ${fromLogic} to ${toLogic}`,
    checkpoint: { engine, state, link: linkOf(commit) },
    committed: { command, outcome, hash: commit.hash },
  };
}
