// Recorded commands, and what an engine makes of them: a few thousand of every kind, made by the simulator once and kept.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Command, decodeValue, type LaneName, type Parameters } from '@sibyl/engine';
import { sealCommit } from '../src/journal/chain.ts';
import { engine } from '../src/logic/current.ts';
import type { EngineLogic } from '../src/logic/engine-logic.ts';
import { writeRecord } from '../src/record/record.ts';
import { TextSheet } from '../src/record/text-sheet.ts';

export interface Recording {
  readonly lane: LaneName;
  readonly parameters: Parameters;
  readonly commands: readonly Command[];
}

/**
 * Made by `npm run sim -- --record FILE --seed S --steps N`: seeds 15 and 3 with 1,500 commands, 1 with 1,000, then 15 with
 * 1,200 (deposits and withdrawals), 50 with 1,500 and 800 (families, corrections), 5 with 1,200 (grants and fee credits), 12 with 800 (sales of minted sets).
 */
export const RECORDINGS = [
  'live-tight',
  'sandbox-tight',
  'sandbox',
  'live-funds',
  'live-accounts',
  'live-corrections',
  'live-revenue',
  'sandbox-minted',
] as const;

export function readRecording(name: (typeof RECORDINGS)[number]): Recording {
  const file = path.join(import.meta.dirname, 'fixtures', `${name}.jsonl.gz`);
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const [head, ...commands] = lines.map((line) => decodeValue(line));
  return { ...(head as Recording), commands: commands as Command[] };
}

/** Hashes of all that an engine said, and of the state that it ended with. */
export interface Golden {
  readonly outcomes: string;
  readonly state: string;
}

export function goldenOf(engine: EngineLogic, recording: Recording): Golden {
  const state = engine.createState(recording.lane, recording.parameters);
  const digests = createHash('sha256');
  for (const command of recording.commands) {
    digests.update(engine.outcomeDigest(engine.apply(state, command)));
  }
  const restored = engine.decodeSnapshot([...engine.encodeSnapshot(state)]);
  engine.checkAll(restored);
  return { outcomes: digests.digest('hex'), state: engine.stateHash(restored) };
}

/** What golden.json has of one recording. */
export interface Pinned extends Golden {
  readonly recording: (typeof RECORDINGS)[number];
  /** Of the records as they were written. */
  readonly records: string;
}

/** What the recorded commands come to under the engine of this tree, written as the lane writes them and read again. */
export function pinOf(name: (typeof RECORDINGS)[number]): Pinned {
  const recording = readRecording(name);
  const state = engine.createState(recording.lane, recording.parameters);
  const texts = createHash('sha256');
  const sheet = new TextSheet();
  const reader = engine.openReader();
  const before = { hash: '', tsMs: 0, epoch: 0 };
  for (const command of recording.commands) {
    const digest = engine.outcomeDigest(engine.apply(state, command));
    sheet.begin();
    writeRecord(sheet, command, digest, { requestId: 'r' }, 0);
    const { seq, atMs: tsMs } = command;
    const records = new Uint8Array(sheet.written());
    reader.open(sealCommit({ seq, epoch: 1, tsMs, records }, { seq: seq - 1, ...before }));
    reader.next();
    assert.deepEqual(reader.command(), command);
    assert.equal(reader.outcomeHash, digest);
    texts.update(records);
  }
  return { recording: name, ...goldenOf(engine, recording), records: texts.digest('hex') };
}

/** The digest that engine/src/logic.ts has of golden.json. */
export function buildOf(pins: readonly Pinned[]): string {
  return createHash('sha256').update(JSON.stringify(pins)).digest('hex').slice(0, BUILD_DIGITS);
}

const BUILD_DIGITS = 12;
