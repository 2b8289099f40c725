// Loads the engines of former logic numbers: each is one file, used only if it is to the byte what was frozen.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { EngineLogic } from './engine-logic.ts';

/** What tools/freeze.ts noted of an engine when it was frozen. */
interface Pin {
  readonly logic: number;
  readonly sha256: string;
}

/** The file of a frozen engine is missing or altered: what it would replay proves nothing. */
class FrozenEngineUnusable extends Error {
  override readonly name = 'FrozenEngineUnusable';
}

const FOLDER = path.join(import.meta.dirname, '../../frozen');

/** A file is code: it is read as data, held against its pin, and only then run. */
export function loadFrozen(logic: number, folder = FOLDER): EngineLogic {
  const file = path.join(folder, `logic-${logic}.js`);
  const pin = readPins(folder).find((one) => one.logic === logic);
  if (pin === undefined) throw unusable(file, 'it is not pinned');
  const found = createHash('sha256').update(readOrNothing(file)).digest('hex');
  if (found !== pin.sha256) throw unusable(file, `its SHA-256 is ${found}, not ${pin.sha256}`);
  // Made by tools/freeze.ts from an entry that has this type; the pin is of that file.
  const { engine } = createRequire(import.meta.url)(file) as { readonly engine: EngineLogic };
  if (engine.logic !== logic) throw unusable(file, `it is engine logic ${engine.logic}`);
  return engine;
}

function readPins(folder = FOLDER): readonly Pin[] {
  return JSON.parse(readFileSync(path.join(folder, 'pins.json'), 'utf8')) as readonly Pin[];
}

function readOrNothing(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    return new Uint8Array();
  }
}

function unusable(file: string, reason: string): FrozenEngineUnusable {
  return new FrozenEngineUnusable(
    `${file} is not the engine that was frozen: ${reason}; put the file of the release in its place`,
  );
}
