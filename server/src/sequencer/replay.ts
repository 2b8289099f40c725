// Replay: the state that a chain of records leads to, with every link and every outcome checked on the way.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { apply, type State } from '@sibyl/engine';
import { type Journal, JournalCorrupt, type JournalRecord } from '../ports/journal.ts';
import { outcomeDigest } from './outcome-digest.ts';
import { type ChainLink, checkRecord, linkOf, openRecord } from './record.ts';
import type { CommittedCommand } from './submission.ts';

/** A state and the place in the chain that it belongs to. */
export interface Standing {
  readonly state: State;
  readonly link: ChainLink;
}

/** Which outcomes are compared with the journal's: a state that went astray shows soon enough in a sample. */
export type OutcomeCheck = 'all' | 'sample';

const SAMPLE_EVERY = 16;

/** Applies the next record to the state; throws JournalCorrupt when record or outcome is not what was journaled. */
export function replayRecord(
  state: State,
  record: JournalRecord,
  link: ChainLink,
  check: OutcomeCheck,
): CommittedCommand {
  checkRecord(record, link);
  const command = openRecord(record);
  const outcome = apply(state, command);
  const isChecked = check === 'all' || record.seq % SAMPLE_EVERY === 0;
  if (isChecked && outcomeDigest(outcome) !== record.outcomeHash) {
    throw new JournalCorrupt(
      `record ${record.seq}: the replay came to another outcome than was journaled`,
    );
  }
  return { command, outcome, hash: record.hash };
}

export interface ReplayOptions {
  readonly watch?: (command: CommittedCommand) => void;
  /** Others have a turn so often; a replay that nobody waits behind needs none. */
  readonly sliceMs?: number;
}

/** Brings the standing up to date with the journal, page by page, and yields what each page came to. */
export async function* replay(
  journal: Journal,
  standing: Standing,
  check: OutcomeCheck,
  { watch = () => {}, sliceMs = Number.POSITIVE_INFINITY }: ReplayOptions = {},
): AsyncGenerator<{ readonly link: ChainLink; readonly commands: readonly CommittedCommand[] }> {
  const { state } = standing;
  let { link } = standing;
  let sinceMs = performance.now();
  for await (const page of journal.read(link.seq + 1)) {
    const commands: CommittedCommand[] = [];
    for (const record of page) {
      if (performance.now() - sinceMs > sliceMs) {
        await nextTurn();
        sinceMs = performance.now();
      }
      const command = replayRecord(state, record, link, check);
      watch(command);
      commands.push(command);
      link = linkOf(record);
    }
    yield { link, commands };
  }
}
