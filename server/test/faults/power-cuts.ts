// Power cuts without a power switch: one recorded run, cut at many moments, each cut opened and compared with the answers.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS, decodeValue } from '@sibyl/engine';
import { recover, SnapshotStore } from '@sibyl/lane';
import { DirectJournal } from '@sibyl/lane/testing';
import { command, type Draw, drawFrom, openMarket } from '../../../lane/test/workload.ts';
import { type CutMode, Disk } from './crash-image.ts';
import { Subject, SubjectGone, subjectOptions } from './driver.ts';
import type { Done, Reply } from './protocol.ts';
import { type FileCall, parseTrace, traceOptions } from './trace.ts';

export interface Recording {
  readonly root: string;
  readonly calls: readonly FileCall[];
}

export interface CutReport {
  readonly images: number;
  readonly acknowledged: number;
  readonly snapshotsUsed: number;
  /** What was acknowledged before the cut and is not there after it. */
  readonly lost: readonly string[];
  /** Images that do not open, although no bit was flipped. */
  readonly refused: readonly string[];
}

const CLIENTS = 8;
const MODES: readonly CutMode[] = ['none', 'torn', 'all'];

export interface RecordingOptions {
  readonly strace: string;
  readonly commands: number;
  readonly seed: number;
  readonly isWeak?: boolean;
  /** First a life whose n-th sync fails, then the restart after it. */
  readonly failingSync?: number;
}

/** Runs the subject under strace for so many commands, then cuts its power for real. */
export async function record(options: RecordingOptions): Promise<Recording> {
  const { commands, seed, isWeak = false, failingSync } = options;
  const parent = mkdtempSync(path.join(tmpdir(), 'sibyl-cuts-'));
  const root = path.join(parent, 'data');
  const output = path.join(parent, 'trace');
  const subjects = subjectOptions(root, {
    isWeak,
    isBrusque: true,
    snapshotEvery: 60,
    checkpointPages: 40,
  });
  const live = async (injection: readonly string[]): Promise<FileCall[]> => {
    const subject = new Subject(subjects, [options.strace, ...traceOptions(output), ...injection]);
    try {
      await drive(subject, commands, seed);
    } catch (error) {
      if (!(error instanceof SubjectGone)) throw error;
      const { errors } = await subject.ended;
      if (injection.length === 0) throw new Error(`the subject is gone: ${errors}`);
    } finally {
      subject.kill();
      await subject.ended;
    }
    return parseTrace(readFileSync(output, 'utf8'), parent);
  };
  try {
    if (failingSync === undefined) return { root, calls: await live([]) };
    const first = await live(['-e', `inject=fsync,fdatasync:error=EIO:when=${failingSync}`]);
    return { root, calls: [...first, ...(await live([]))] };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Cuts at random moments after the first answer, in every mode. */
export async function cut(
  { root, calls }: Recording,
  cuts: number,
  seed: number,
): Promise<CutReport> {
  const draw = drawFrom(seed);
  const moments = new Set<number>();
  const first = calls.findIndex((call) => call.kind === 'said');
  while (moments.size < Math.min(cuts, calls.length - first - 1)) {
    moments.add(first + 1 + draw(calls.length - first - 1));
  }
  const disk = new Disk(path.dirname(root));
  const said = new Heard();
  const report = {
    images: 0,
    acknowledged: 0,
    snapshotsUsed: 0,
    lost: [] as string[],
    refused: [] as string[],
  };
  for (const [index, call] of calls.entries()) {
    disk.replay(call);
    if (call.kind === 'said') said.hear(call.text);
    if (!moments.has(index)) continue;
    for (const mode of MODES) {
      const found = await inspect(disk, mode, draw, path.basename(root));
      report.images += 1;
      const where = `after call ${index} of ${calls.length}, ${mode}`;
      if (found.error !== null) report.refused.push(`${where}: ${found.error}`);
      else if (found.snapshotSeq > 0) report.snapshotsUsed += 1;
      const missing = said.done.filter(({ seq, hash }) => found.hashes.get(seq) !== hash);
      if (found.error === null && found.snapshotSeq < said.savedSeq) {
        report.lost.push(`${where}: snapshot ${said.savedSeq}`);
      }
      if (missing.length > 0)
        report.lost.push(`${where}: ${missing.length} of ${said.done.length}`);
    }
  }
  report.acknowledged = said.done.length;
  return report;
}

async function drive(subject: Subject, commands: number, seed: number): Promise<void> {
  await subject.ready();
  const draw = drawFrom(seed);
  const marketId = await openMarket(async (submission) => {
    const reply = await subject.submit(submission);
    if (reply.kind !== 'done') throw new Error(`the opening was refused: ${reply.kind}`);
    return reply.answer;
  });
  let sent = 0;
  const send = async (until: number): Promise<void> => {
    const client = async (): Promise<void> => {
      while (sent < until) {
        sent += 1;
        await subject.submit(command(draw, `c${sent}`, marketId));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  };
  const saved = subject.saved();
  await Promise.all([send(commands >> 1), saved]);
  await send(commands);
}

/** Acknowledgements as the outside world read them, line by line. */
class Heard {
  readonly done: Done[] = [];
  savedSeq = 0;
  #rest = '';

  hear(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const reply = decodeValue(line) as Reply;
      if (reply.kind === 'done') this.done.push(reply);
      if (reply.kind === 'saved') this.savedSeq = reply.seq;
    }
  }
}

interface Found {
  readonly hashes: ReadonlyMap<number, string>;
  readonly snapshotSeq: number;
  readonly error: string | null;
}

async function inspect(disk: Disk, mode: CutMode, draw: Draw, name: string): Promise<Found> {
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const target = mkdtempSync(path.join(memory, 'sibyl-image-'));
  const hashes = new Map<number, string>();
  try {
    disk.write(target, mode, draw);
    const directory = path.join(target, name);
    const journal = DirectJournal.open({
      file: path.join(directory, 'journal.db'),
      reserveBytes: 4096,
    });
    try {
      for await (const page of journal.read(1))
        for (const { firstSeq, seq, hash } of page)
          for (let at = firstSeq; at <= seq; at++) hashes.set(at, hash);
      const snapshots = new SnapshotStore(path.join(directory, 'snapshots'));
      const source = { lane: 'live', parameters: DEFAULT_PARAMETERS, journal, snapshots } as const;
      const { snapshotSeq } = await recover(source);
      return { hashes, snapshotSeq, error: null };
    } finally {
      await journal.close();
    }
  } catch (error) {
    return {
      hashes,
      snapshotSeq: 0,
      error: error instanceof Error ? error.message : String(error),
    };
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}
