// Engines and their past: what each logic number came to once, it comes to for ever.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Golden, goldenOf, RECORDINGS, readRecording } from '../../test/golden.ts';
import { sealCommit } from '../record/commit.ts';
import { writeRecord } from '../record/record.ts';
import { TextSheet } from '../record/text-sheet.ts';
import { boundaries } from './boundaries.ts';
import { engine } from './current.ts';
import { ENGINES } from './engines.ts';
import { loadFrozen } from './frozen.ts';

const FROZEN = path.join(import.meta.dirname, '../../frozen');

interface Pinned extends Golden {
  readonly logic: number;
  readonly recording: (typeof RECORDINGS)[number];
  /** Of the records as they were written; only the engine that runs writes any. */
  readonly records: string;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(FROZEN, file), 'utf8')) as T;
}

const pinned = readJson<readonly Pinned[]>('golden.json');

/** What the recorded commands come to under this engine, written as the lane writes them and read again. */
function writtenBy(name: (typeof RECORDINGS)[number]): Pinned {
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
    expect(reader.next()).toBe(true);
    expect(reader.command()).toEqual(command);
    expect(reader.outcomeHash).toBe(digest);
    texts.update(records);
  }
  const { logic } = engine;
  return { logic, recording: name, ...goldenOf(engine, recording), records: texts.digest('hex') };
}

const BUMP =
  'Commands come to something else than before under this logic number, so replays of journals would fail. ' +
  'If that is meant, the number must be raised: lane/frozen/README.md says how';

describe('an engine and its logic number', () => {
  it.each(RECORDINGS)(
    '[UP1] the engine of this tree comes to what is pinned for its number: %s',
    (name) => {
      const known = pinned.find(
        ({ logic, recording }) => logic === engine.logic && recording === name,
      );
      expect(writtenBy(name), BUMP).toEqual(known);
    },
  );

  it('[UP1] the recorded commands are of every kind', () => {
    const kinds = RECORDINGS.flatMap((name) =>
      readRecording(name).commands.map(({ type }) => type),
    );
    // All but that of an upgrade, which no simulator sends.
    expect(new Set(kinds).size).toBe(46);
  });

  it('[UP2] every frozen engine comes to what was pinned when it ran', () => {
    for (const { logic, recording, outcomes, state } of pinned) {
      if (logic === engine.logic) continue;
      const frozen = ENGINES.find(logic, 'this is');
      expect(goldenOf(frozen, readRecording(recording))).toEqual({ outcomes, state });
    }
  });

  it('[UP2] every number from the oldest on is frozen, pinned and has a way to the next', () => {
    const { current, known } = ENGINES;
    const oldest = current.logic - boundaries.length;
    const numbers = boundaries.map((_, index) => oldest + index);
    expect(boundaries.map(({ from }) => from)).toEqual(numbers);
    const pins = readJson<readonly { readonly logic: number }[]>('pins.json');
    expect(pins.map(({ logic }) => logic).filter((logic) => logic !== current.logic)).toEqual(
      numbers,
    );
    for (const logic of known) expect(ENGINES.find(logic, 'this is').logic).toBe(logic);
  });

  it('[UP8] what the engine before left is carried over to what this one comes to by the same commands', () => {
    // Whoever writes the next boundary says of it what holds then: here no command came to anything else than before.
    const former = ENGINES.find(engine.logic - 1, 'this is');
    for (const name of ['live-tight', 'sandbox-tight'] as const) {
      const recording = readRecording(name);
      const state = former.createState(recording.lane, recording.parameters);
      for (const command of recording.commands) former.apply(state, command);
      const carried = ENGINES.carry({ engine: former, state }, 'this is');
      const known = pinned.find(
        ({ logic, recording: of }) => logic === engine.logic && of === name,
      );
      expect(carried.engine.stateHash(carried.state)).toBe(known?.state);
    }
  });

  it('[UP2] no two engines begin with the same state, so that a journal shows by which one it was begun', () => {
    const { parameters } = readRecording('sandbox');
    const hashes = ENGINES.known.map((logic) => {
      const known = ENGINES.find(logic, 'this is');
      return known.stateHash(known.createState('sandbox', parameters));
    });
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('[UP2] a frozen engine that is missing, altered, unpinned or of another number is not run', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-frozen-'));
    const pin = (logic: number, code: string): void => {
      const sha256 = createHash('sha256').update(code).digest('hex');
      writeFileSync(path.join(folder, 'pins.json'), JSON.stringify([{ logic, sha256 }]));
    };
    const file = path.join(folder, 'logic-3.js');
    const code = 'export const engine = { logic: 3 };\n';
    try {
      pin(3, code);
      expect(() => loadFrozen(3, folder)).toThrow(/is not the engine that was frozen: its SHA-256/);
      writeFileSync(file, code.replace('3', '3 '));
      expect(() => loadFrozen(3, folder)).toThrow(/is not the engine that was frozen: its SHA-256/);
      writeFileSync(file, code);
      pin(2, code);
      expect(() => loadFrozen(3, folder)).toThrow(/it is not pinned/);
      writeFileSync(path.join(folder, 'logic-2.js'), code);
      expect(() => loadFrozen(2, folder)).toThrow(/it is engine logic 3/);
      pin(3, code);
      expect(loadFrozen(3, folder)).toEqual({ logic: 3 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
