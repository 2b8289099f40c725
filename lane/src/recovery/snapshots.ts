// Snapshot files of one lane: written so that a power cut leaves the old set or the new one, verified when read.
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { State } from '@sibyl/engine';
import { EarlierBuild, syncFolder } from '@sibyl/storage';
import type { ChainLink } from '../journal/chain.ts';
import type { AnyState, EngineLogic } from '../logic/engine-logic.ts';
import { ENGINES, EngineLogicUnknown, type Engines } from '../logic/engines.ts';

/** Newest snapshots kept, besides the first, which holds the parameters that the journal began with. */
const KEPT = 3;
const MAGIC = 'sibyl-snapshot';
const FORMAT = 1;
const LENGTH_DIGITS = 15;
const CHUNK_CHARACTERS = 1 << 18;

export interface LoadedSnapshot {
  /** Of the logic that the snapshot was made under. */
  readonly engine: EngineLogic;
  readonly state: AnyState;
  readonly link: ChainLink;
}

/** Why a snapshot was passed over; the one before it is used instead. */
export interface BadSnapshot {
  readonly file: string;
  readonly reason: string;
}

export class SnapshotStore {
  readonly #directory: string;
  readonly #engines: Engines;

  /** `shared` leaves drafts alone, because they are another's who is writing one now. */
  constructor(directory: string, use: 'own' | 'shared' = 'own', engines: Engines = ENGINES) {
    this.#directory = directory;
    this.#engines = engines;
    if (use === 'shared') return;
    const created = mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (created !== undefined) syncFolder(path.dirname(created));
    for (const file of readdirSync(directory)) {
      if (file.endsWith('.tmp')) rmSync(path.join(directory, file));
    }
  }

  get directory(): string {
    return this.#directory;
  }

  /** Sequence numbers of the snapshots at hand, newest first. */
  list(): readonly number[] {
    const numbers: number[] = [];
    for (const file of readdirSync(this.#directory)) {
      const match = /^snap-(\d{1,15})$/.exec(file);
      if (match !== null) numbers.push(Number(match[1]));
    }
    return numbers.sort((a, b) => b - a);
  }

  /**
   * The newest snapshot that verifies, at or before `seqMax`; what was passed over is reported. One that is whole and of
   * an engine that this build does not know throws: a start without it would go on where another build went on before.
   */
  newest(seqMax: number, skipped: (bad: BadSnapshot) => void): LoadedSnapshot | null {
    for (const seq of this.list()) {
      if (seq > seqMax) continue;
      const found = this.examine(seq);
      if ('state' in found) return found;
      skipped(found);
    }
    return null;
  }

  examine(seq: number): LoadedSnapshot | BadSnapshot {
    try {
      return this.load(seq);
    } catch (error) {
      if (error instanceof EngineLogicUnknown || error instanceof EarlierBuild) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return { file: `snap-${seq}`, reason };
    }
  }

  load(seq: number): LoadedSnapshot {
    const loaded = parse(readFileSync(this.#file(seq)), this.#engines);
    if (loaded.link.seq !== seq)
      throw new Error(`the file says that it is snapshot ${loaded.link.seq}`);
    return loaded;
  }

  /** Of the engine of this build. Durable on return. The rename is the moment of truth; until then only a .tmp file exists. */
  save(state: State, link: ChainLink): void {
    const file = this.#file(link.seq);
    const temporary = `${file}.tmp`;
    try {
      writeDurably(temporary, this.#engines.current, state, link);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    renameSync(temporary, file);
    syncFolder(this.#directory);
    this.#prune();
  }

  #prune(): void {
    const old = this.list()
      .filter((seq) => seq > 0)
      .slice(KEPT);
    for (const seq of old) rmSync(this.#file(seq));
  }

  #file(seq: number): string {
    return path.join(this.#directory, `snap-${seq}`);
  }
}

function writeDurably(
  file: string,
  engine: EngineLogic<State>,
  state: State,
  link: ChainLink,
): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    writeSnapshot(descriptor, engine, state, link);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The body's length is known last, so the header is written last, and the digest covers the body, then the header. */
function writeSnapshot(
  descriptor: number,
  { logic, build, encodeSnapshot }: EngineLogic<State>,
  state: State,
  link: ChainLink,
): void {
  const digest = createHash('sha256');
  const headerBytes = Buffer.byteLength(headerText(`${logic}-${build}`, link, 0));
  let position = headerBytes;
  let chunk = '';
  const flush = (): void => {
    const bytes = Buffer.from(chunk, 'utf8');
    chunk = '';
    digest.update(bytes);
    position += writeAll(descriptor, bytes, position);
  };
  for (const line of encodeSnapshot(state)) {
    chunk += line;
    chunk += '\n';
    if (chunk.length >= CHUNK_CHARACTERS) flush();
  }
  flush();
  const header = Buffer.from(headerText(`${logic}-${build}`, link, position - headerBytes), 'utf8');
  writeAll(descriptor, header, 0);
  const trailer = `sha256 ${digest.update(header).digest('hex')}\n`;
  writeAll(descriptor, Buffer.from(trailer, 'utf8'), position);
}

function writeAll(descriptor: number, bytes: Buffer, position: number): number {
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
  }
  return done;
}

function headerText(engine: string, link: ChainLink, bodyBytes: number): string {
  const length = `${bodyBytes}`.padStart(LENGTH_DIGITS, '0');
  return `${MAGIC} ${FORMAT} ${engine} ${link.seq} ${link.hash} ${link.tsMs} ${link.epoch} ${length}\n`;
}

const HEADER =
  /^sibyl-snapshot (\d+) (\d+)(?:-([0-9a-f]{12}))? (\d+) ([0-9a-f]{64}) (\d+) (\d+) (\d{15})$/;
const TRAILER_BYTES = 'sha256 '.length + 64 + 1;

function parse(bytes: Buffer, engines: Engines): LoadedSnapshot {
  const headerEnd = bytes.indexOf(0x0a);
  const match = HEADER.exec(bytes.toString('latin1', 0, Math.max(0, headerEnd)));
  if (match === null) throw new Error('it does not begin like a snapshot');
  const [, format, logic, build, seq, hash, tsMs, epoch, length] = match;
  const bodyStart = headerEnd + 1;
  const bodyEnd = bodyStart + Number(length);
  if (bytes.length !== bodyEnd + TRAILER_BYTES) throw new Error('its length is not the stated one');
  const digest = createHash('sha256')
    .update(bytes.subarray(bodyStart, bodyEnd))
    .update(bytes.subarray(0, bodyStart))
    .digest('hex');
  if (bytes.toString('latin1', bodyEnd) !== `sha256 ${digest}\n`)
    throw new Error('its digest does not match');
  if (Number(format) !== FORMAT) throw new Error(`it has format ${format}`);
  // The first builds named no build of their engine.
  if (build === undefined) throw new EarlierBuild(`snapshot ${seq}`);
  const engine = engines.find(Number(logic), `snapshot ${seq} is of`);
  if (engine.build !== build) throw new EarlierBuild(`snapshot ${seq}`);
  const state = engine.decodeSnapshot(lines(bytes, bodyStart, bodyEnd));
  if (state.seq !== Number(seq)) throw new Error(`it holds the state of command ${state.seq}`);
  const link = { seq: Number(seq), hash: hash!, tsMs: Number(tsMs), epoch: Number(epoch) };
  return { engine, state, link };
}

function* lines(bytes: Buffer, start: number, end: number): Generator<string> {
  let from = start;
  while (from < end) {
    const to = bytes.indexOf(0x0a, from);
    yield bytes.toString('utf8', from, to);
    from = to + 1;
  }
}
