// The engine of this build, as replays see it; with all that it imports, this file is what a frozen engine is made of.
import {
  apply,
  checkAll,
  checkTouched,
  createState,
  decodeSnapshot,
  ENGINE_BUILD,
  ENGINE_LOGIC,
  encodeSnapshot,
  type State,
  stateHash,
} from '@sibyl/engine';
import { outcomeDigest } from '../record/outcome-digest.ts';
import { RecordReader } from '../record/record.ts';
import type { EngineLogic } from './engine-logic.ts';

export const engine: EngineLogic<State> = {
  logic: ENGINE_LOGIC,
  build: ENGINE_BUILD,
  createState,
  decodeSnapshot,
  encodeSnapshot,
  stateHash,
  apply,
  outcomeDigest,
  checkAll,
  checkTouched,
  openReader: () => new RecordReader(),
};
