// Recorded commands, and what an engine makes of them: a few thousand of every kind, made by the simulator once and kept.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type Command,
  type CommandBody,
  decodeValue,
  type LaneName,
  type Parameters,
} from '@sibyl/engine';
import type { EngineLogic } from '../src/logic/engine-logic.ts';

export interface Recording {
  readonly lane: LaneName;
  readonly parameters: Parameters;
  readonly commands: readonly Command[];
}

/**
 * Made by `npm run sim -- --record FILE`: seed 15 and 3 with 1,500 commands, seed 1 with 1,000. The commands of logic 7 on
 * money in and out are in one of its own, of seed 15 with 1,200 commands, and those on families, parameters, ticks and limits of
 * one's own in another, of seed 50 with 1,500; corrections of balances came later, in the first 800 of that seed. Grants and credits
 * of fees, which came with logic 8, are in the first 1,200 of seed 5.
 */
export const RECORDINGS = [
  'live-tight',
  'sandbox-tight',
  'sandbox',
  'live-funds',
  'live-accounts',
  'live-corrections',
  'live-revenue',
] as const;

export function readRecording(name: (typeof RECORDINGS)[number]): Recording {
  const file = path.join(import.meta.dirname, 'fixtures', `${name}.jsonl.gz`);
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const [head, ...commands] = lines.map((line) => decodeValue(line));
  return { ...(head as Recording), commands: (commands as Command[]).map(withGrant) };
}

/** Recorded before there were grants, commands say of them what they say now: nobody acts for another. */
function withGrant<C extends CommandBody>(command: C): C {
  if (command.type === 'batch') {
    return { ...command, items: command.items.map((item) => withGrant(item)) };
  }
  return GRANTED.has(command.type) && !('grant' in command) ? { ...command, grant: null } : command;
}

const GRANTED: ReadonlySet<string> = new Set(['place_order', 'amend_order', 'mint_sets']);

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
