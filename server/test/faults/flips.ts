// Single flipped bits in journal and snapshots: a start refuses, falls back, or comes to the very same state.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS, stateHash } from '@sibyl/engine';
import { Lane, recover, SnapshotStore, systemClock, verify } from '@sibyl/lane';
import { DirectJournal } from '@sibyl/lane/testing';
import { command, type Draw, drawFrom, openMarket } from '../../../lane/test/workload.ts';

export interface FlipReport {
  readonly flips: number;
  readonly refused: number;
  readonly fellBack: number;
  /** Where the bit meant nothing: free space, or a record that a snapshot covers. */
  readonly harmless: number;
  /** Starts that came to another state, and verifications that passed on another chain: must be none. */
  readonly wrong: readonly string[];
}

interface Expected {
  readonly seq: number;
  readonly stateHash: string;
  readonly headHash: string;
}

/** A lane's files as a kill leaves them (`crashed`: the log is full of commits) or as a clean end does. */
export async function makeVictim(directory: string, end: 'crashed' | 'closed'): Promise<Expected> {
  const live = `${directory}-live`;
  const journal = openJournal(live);
  const snapshots = new SnapshotStore(path.join(live, 'snapshots'));
  const source = { parameters: DEFAULT_PARAMETERS, journal, snapshots };
  const lane = await Lane.open({
    name: 'live',
    clock: systemClock,
    limits: { batchMax: 8 },
    ...source,
  });
  const marketId = await openMarket(async (submission) => (await lane.submit(submission)).answer);
  const draw = drawFrom(11);
  const send = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, index) =>
        lane.submit(command(draw, `c${from + index}`, marketId)),
      ),
    );
  await send(0, 80);
  const { state, link } = await recover({ lane: 'live', ...source });
  snapshots.save(state, link);
  await send(80, 160);
  const hash = await lane.read(stateHash);
  const head = await journal.head();
  if (end === 'closed') await lane.close();
  cpSync(live, directory, { recursive: true });
  if (end === 'crashed') await lane.close();
  rmSync(live, { recursive: true });
  return { seq: head.seq, stateHash: hash, headHash: head.hash };
}

export async function runFlips(
  flips: number,
  seed: number,
  end: 'crashed' | 'closed',
): Promise<FlipReport> {
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const parent = mkdtempSync(path.join(memory, 'sibyl-flips-'));
  const draw = drawFrom(seed);
  const report = { flips, refused: 0, fellBack: 0, harmless: 0, wrong: [] as string[] };
  try {
    const victim = path.join(parent, 'victim');
    const expected = await makeVictim(victim, end);
    for (let flip = 0; flip < flips; flip++) {
      const copy = path.join(parent, 'copy');
      cpSync(victim, copy, { recursive: true });
      const where = flipOneBit(copy, draw);
      await judge(copy, expected, where, report);
      rmSync(copy, { recursive: true });
    }
    return report;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

interface Tally {
  refused: number;
  fellBack: number;
  harmless: number;
  readonly wrong: string[];
}

async function judge(
  directory: string,
  expected: Expected,
  where: string,
  tally: Tally,
): Promise<void> {
  let skipped = 0;
  const started = await attempt(directory, async (source) => {
    const { state, link } = await recover(source, { skipped: () => (skipped += 1) });
    return { seq: state.seq, stateHash: stateHash(state), headHash: link.hash };
  });
  const verified = await attempt(directory, verify);
  for (const result of [started, verified]) {
    if (result === null) continue;
    const { seq, stateHash: hash, headHash } = result;
    if (seq !== expected.seq || hash !== expected.stateHash || headHash !== expected.headHash) {
      tally.wrong.push(`${where}: came to ${seq} ${hash}`);
      return;
    }
  }
  if (started === null) tally.refused += 1;
  else if (skipped > 0) tally.fellBack += 1;
  else tally.harmless += 1;
}

async function attempt(
  directory: string,
  act: (source: Parameters<typeof verify>[0]) => Promise<Expected>,
): Promise<Expected | null> {
  let journal: DirectJournal;
  try {
    journal = openJournal(directory);
  } catch {
    return null;
  }
  try {
    const snapshots = new SnapshotStore(path.join(directory, 'snapshots'));
    return await act({ lane: 'live', parameters: DEFAULT_PARAMETERS, journal, snapshots });
  } catch {
    return null;
  } finally {
    await journal.close().catch(() => {});
  }
}

function openJournal(directory: string): DirectJournal {
  return DirectJournal.open({
    file: path.join(directory, 'journal.db'),
    reserveBytes: 4096,
    checkpointPages: 60,
  });
}

/** Snapshots are small beside the journal, so every third bit is one of theirs. */
function flipOneBit(directory: string, draw: Draw): string {
  const folder = draw(3) === 0 ? path.join(directory, 'snapshots') : directory;
  const files = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter(
      (file) => statSync(file).isFile() && !file.endsWith('-reserve') && statSync(file).size > 0,
    );
  const file = files[draw(files.length)]!;
  const bytes = readFileSync(file);
  const offset = draw(bytes.length);
  const bit = draw(8);
  bytes[offset] = bytes[offset]! ^ (1 << bit);
  writeFileSync(file, bytes);
  return `${path.relative(directory, file)} byte ${offset} bit ${bit}`;
}
