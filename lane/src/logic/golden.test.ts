// Engines and their past: what each logic number came to once, it comes to for ever.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ENGINE_BUILD } from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import { buildOf, type Pinned, pinOf, RECORDINGS, readRecording } from '../../test/golden.ts';
import { boundaries } from './boundaries.ts';
import { ENGINES } from './engines.ts';
import { loadFrozen } from './frozen.ts';

const FROZEN = path.join(import.meta.dirname, '../../frozen');

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(FROZEN, file), 'utf8')) as T;
}

const pinned = readJson<readonly Pinned[]>('golden.json');

const PIN =
  'Commands come to something else than before, so replays of journals would fail. If that is meant: until the first ' +
  'release run `node tools/pin-engine.ts`; after it, raise the number as lane/frozen/README.md says';

describe('an engine and its logic number', () => {
  it.each(RECORDINGS)(
    '[UP1] the engine of this tree comes to what is pinned for its number: %s',
    (name) => {
      expect(pinOf(name), PIN).toEqual(pinned.find(({ recording }) => recording === name));
    },
  );

  it('[UP1] its build is the digest of all that is pinned', () => {
    expect(pinned.map(({ recording }) => recording)).toEqual(RECORDINGS);
    expect(ENGINE_BUILD, PIN).toBe(buildOf(pinned));
  });

  it('[UP1] the recorded commands are of every kind', () => {
    const kinds = RECORDINGS.flatMap((name) =>
      readRecording(name).commands.map(({ type }) => type),
    );
    // All but that of an upgrade, which no simulator sends.
    expect(new Set(kinds).size).toBe(50);
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
