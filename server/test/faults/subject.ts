// The process that is killed and starved: a lane on SQLite that takes commands as lines and answers once they are durable.

import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DEFAULT_PARAMETERS, decodeValue, encodeValue, stateHash } from '@sibyl/engine';
import {
  type Journal,
  Lane,
  LaneUnavailable,
  SnapshotStore,
  SqliteJournal,
  systemClock,
} from '@sibyl/lane';
import type { Reply, Request, SubjectOptions } from './protocol.ts';
import { openWeakJournal } from './weak-journal.ts';

const options = decodeValue(process.argv[2] ?? '') as SubjectOptions;
const lane = await Lane.open({
  name: 'live',
  parameters: DEFAULT_PARAMETERS,
  journal: await openJournal(),
  snapshots: new SnapshotStore(path.join(options.directory, 'snapshots')),
  clock: systemClock,
  limits: { snapshotEvery: options.snapshotEvery, refillMs: 200 },
  notify: ({ state, message }) => {
    console.error(`${state}: ${message}`);
    const saved = /^snapshot (\d+) was saved$/.exec(message);
    if (saved !== null) send({ id: -1, kind: 'saved', seq: Number(saved[1]) });
    if (state !== 'stopped') return;
    if (options.isBrusque) process.kill(process.pid, 'SIGKILL');
    process.exit(3);
  },
});
const hashes = new Map<number, string>();
lane.onCommitted((batch) => {
  for (const { command, hash } of batch) hashes.set(command.seq, hash);
});
send({ id: 0, kind: 'ready', seq: lane.status().durableSeq });
// Whoever is killed has no other chance to keep compiled code for the next start.
flushCompileCache();
createInterface({ input: process.stdin }).on('line', (line) => {
  answer(decodeValue(line) as Request).then(send, (error: unknown) => {
    console.error(error);
    process.exit(4);
  });
});

async function openJournal(): Promise<Journal> {
  const file = path.join(options.directory, 'journal.db');
  const { checkpointPages, reserveBytes } = options;
  if (!options.isWeak) return SqliteJournal.open({ file, checkpointPages, reserveBytes });
  return openWeakJournal({ file, checkpointPages, reserveBytes });
}

async function answer(request: Request): Promise<Reply> {
  const { id } = request;
  try {
    if (request.kind === 'state') return { id, kind: 'state', hash: await lane.read(stateHash) };
    if (request.kind === 'close') {
      await lane.close();
      return { id, kind: 'closed' };
    }
    const outcome = await lane.submit(request.submission);
    const hash = hashes.get(outcome.seq) ?? '';
    hashes.delete(outcome.seq);
    return {
      id,
      kind: 'done',
      seq: outcome.seq,
      hash,
      answer: outcome.answer,
      replayed: outcome.replayed,
    };
  } catch (error) {
    if (!(error instanceof LaneUnavailable)) throw error;
    return { id, kind: 'refused', code: error.code };
  }
}

function send(reply: Reply): void {
  process.stdout.write(`${encodeValue(reply)}\n`);
}
