// How fast a recorded stream is replayed, how fast a state is hashed, written and read back.
import {
  apply,
  decodeCommand,
  decodeSnapshot,
  encodeCommand,
  encodeSnapshot,
  stateHash,
} from '@sibyl/engine';
import { collectGarbage } from '../harness/gc-pauses.ts';
import { toMb } from '../harness/measure.ts';
import type { Measurement } from '../suite.ts';
import type { Workload } from '../workload/generate.ts';
import { Lane } from './lane.ts';
import { EngineSession } from './matching.ts';
import { recordMixedStream } from './mixed-stream.ts';

/** Once from the commands and once from their journal text; both must come to the recorded state. */
export async function measureReplay(count: number): Promise<Measurement> {
  const recorded = recordMixedStream(count);
  const { journal } = recorded;
  const texts = journal.map(encodeCommand);
  const wanted = stateHash(recorded.state);
  const complaints = [...recorded.findImbalances()];

  const fromCommands = timeReplay((lane) => {
    for (const command of journal) apply(lane.state, command);
  });
  if (stateHash(fromCommands.lane.state) !== wanted)
    complaints.push('replay came to another state');
  const fromTexts = timeReplay((lane) => {
    for (const text of texts) apply(lane.state, decodeCommand(text));
  });
  if (stateHash(fromTexts.lane.state) !== wanted)
    complaints.push('the journal came to another state');
  for (const complaint of complaints) console.error(`bench: ${complaint}`);
  return {
    commands: journal.length,
    wallMs: fromCommands.wallMs,
    cpuMs: fromCommands.cpuMs,
    decodedWallMs: fromTexts.wallMs,
    decodedCpuMs: fromTexts.cpuMs,
    complaints: complaints.length,
  };
}

/** The orders of a matching workload, once as commands and once from their journal text. */
export async function measureOrderReplay(workload: Workload): Promise<Measurement> {
  const recorded = new EngineSession(workload);
  recorded.prepare(0, workload.count);
  const texts = recorded.prepared.map(encodeCommand);
  const fromCommands = time(() => recorded.run(0, workload.count));
  recorded.prepare(0, 0);
  const { lane } = new EngineSession(workload);
  const fromTexts = time(() => {
    for (const text of texts) apply(lane.state, decodeCommand(text));
  });
  const agrees = stateHash(lane.state) === stateHash(recorded.lane.state);
  if (!agrees) console.error('bench: the journal of orders came to another state');
  return {
    commands: workload.count,
    wallMs: fromCommands.wallMs,
    cpuMs: fromCommands.cpuMs,
    decodedWallMs: fromTexts.wallMs,
    decodedCpuMs: fromTexts.cpuMs,
    complaints: agrees ? 0 : 1,
  };
}

/** The state is the one at the end of the workload. */
export async function measureSnapshot(workload: Workload): Promise<Measurement> {
  const session = new EngineSession(workload);
  session.prepare(0, workload.count);
  session.run(0, workload.count);
  session.prepare(0, 0);
  const { state } = session.lane;
  const hashing = time(() => stateHash(state));
  const encoding = time(() => [...encodeSnapshot(state)]);
  const decoding = time(() => decodeSnapshot(encoding.result));
  const restored = stateHash(decoding.result) === hashing.result;
  if (!restored) console.error('bench: the snapshot restored to another state');
  return {
    hashMs: hashing.wallMs,
    encodeMs: encoding.wallMs,
    decodeMs: decoding.wallMs,
    sizeMb: toMb(encoding.result.reduce((size, line) => size + line.length + 1, 0)),
    complaints: restored ? 0 : 1,
  };
}

interface Timed<T> {
  readonly result: T;
  readonly wallMs: number;
  readonly cpuMs: number;
}

function time<T>(work: () => T): Timed<T> {
  collectGarbage();
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const result = work();
  const wallMs = performance.now() - started;
  const cpu = process.cpuUsage(cpuBefore);
  return { result, wallMs, cpuMs: (cpu.user + cpu.system) / 1000 };
}

function timeReplay(replay: (lane: Lane) => void): Timed<void> & { readonly lane: Lane } {
  const lane = new Lane();
  return { lane, ...time(() => replay(lane)) };
}
