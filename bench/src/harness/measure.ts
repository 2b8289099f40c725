// Takes one sample of a contestant: throughput with CPU time and pauses, or latency per command.
import type { Contestant, Session } from '../contestant.ts';
import type { Measurement } from '../suite.ts';
import { generate, type Workload } from '../workload/generate.ts';
import { collectGarbage, collectYoung, GcWatch } from './gc-pauses.ts';
import { percentile } from './statistics.ts';

/**
 * Commands made ready at once, while no clock runs: as many as a lane takes at most. They are at hand when they are sent, as those
 * of requests are, and do not crowd the heap that is being measured. They are run in one call: a call for all of them would be compiled
 * anew in the middle of every sample, because code that replaces a loop under way is kept for no other call.
 */
const CHUNK = 256;

/** A sample taken at one go. */
export async function measureThroughput(
  contestant: Contestant,
  workload: Workload,
): Promise<Measurement> {
  const sample = new ThroughputSample(contestant, workload);
  sample.advance(1);
  return await sample.finish();
}

/** A sample that can be taken in parts, so that others have their turn in between. The mixed part of the workload is timed, a prefill before it is not. */
export class ThroughputSample {
  readonly #workload: Workload;
  readonly #session: Session;
  readonly #baselineMb: number;
  readonly #prefilled: Measurement;
  readonly #watch: GcWatch;
  readonly #windows: [fromMs: number, toMs: number][] = [];
  #reached: number;
  #wallMs = 0;
  #cpuMs = 0;

  constructor(contestant: Contestant, workload: Workload) {
    holdAnchor(contestant, workload);
    this.#workload = workload;
    this.#baselineMb = heapMb();
    this.#session = contestant.begin(workload);
    prefill(this.#session, workload);
    this.#prefilled =
      workload.prefill > 0 ? memoryAbove(this.#baselineMb, 'prefilled', workload) : {};
    this.#reached = workload.prefill;
    this.#watch = new GcWatch();
    collectGarbage();
  }

  /** Up to a share of the timed commands. */
  advance(share: number): void {
    const { prefill: first, mixed } = this.#workload;
    const end = first + Math.round(mixed * share);
    const session = this.#session;
    for (let from = this.#reached; from < end; from += CHUNK) {
      const to = Math.min(from + CHUNK, end);
      session.prepare(from, to);
      const cpuBefore = process.cpuUsage();
      const started = performance.now();
      session.run(from, to);
      const ended = performance.now();
      const cpu = process.cpuUsage(cpuBefore);
      this.#wallMs += ended - started;
      this.#cpuMs += (cpu.user + cpu.system) / 1000;
      this.#windows.push([started, ended]);
    }
    this.#reached = end;
  }

  async finish(): Promise<Measurement> {
    const workload = this.#workload;
    const pauses = await this.#watch.stop(this.#windows);
    this.#session.prepare(workload.count, workload.count);
    return {
      commands: workload.mixed,
      wallMs: this.#wallMs,
      cpuMs: this.#cpuMs,
      gcCount: pauses.count,
      gcTotalMs: pauses.totalMs,
      gcMaxMs: pauses.maxMs,
      ...this.#prefilled,
      ...memoryAbove(this.#baselineMb, 'final', workload),
      ...checks(this.#session),
    };
  }
}

export async function measureLatency(
  contestant: Contestant,
  workload: Workload,
): Promise<Measurement> {
  holdAnchor(contestant, workload);
  const session = contestant.begin(workload);
  prefill(session, workload);
  session.prepare(workload.prefill, workload.count);
  collectGarbage();
  const latencies = new Float64Array(workload.mixed);
  for (let index = 0; index < workload.mixed; index += 1) {
    const at = workload.prefill + index;
    const started = performance.now();
    session.run(at, at + 1);
    latencies[index] = performance.now() - started;
  }
  latencies.sort();
  return {
    p50Us: percentile(latencies, 0.5) * 1000,
    p99Us: percentile(latencies, 0.99) * 1000,
    p999Us: percentile(latencies, 0.999) * 1000,
    ...checks(session),
  };
}

export function toMb(bytes: number): number {
  return bytes / 1_000_000;
}

const ANCHOR_RESTING = 2_000;
const ANCHOR_MIXED = 5_000;
const anchors = new Map<string, Session>();

/**
 * A small session kept for the life of the process. Compiled code refers weakly to the shapes of the objects it was
 * compiled for; with no engine left between two repetitions it would be thrown away and every sample start cold.
 * It begins with orders that rest, as an engine begins with those of its snapshot. V8 decides once, by the first orders that a
 * collection finds, where it will put all later ones: left to chance, samples of two processes differ by a sixth.
 */
function holdAnchor(contestant: Contestant, { symbols }: Workload): void {
  if (anchors.has(contestant.name)) return;
  const workload = generate({ symbols, prefill: ANCHOR_RESTING, mixed: ANCHOR_MIXED });
  const session = contestant.begin(workload);
  prefill(session, workload);
  collectYoung();
  runUntimed(session, workload.prefill, workload.count);
  anchors.set(contestant.name, session);
}

function heapMb(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return toMb(heapUsed + external);
}

/** What the engine holds on the heap, and the resident memory of the whole process; the workload's own table apart. */
function memoryAbove(
  baselineMb: number,
  when: 'prefilled' | 'final',
  workload: Workload,
): Measurement {
  const heap = heapMb() - baselineMb;
  const resident = process.memoryUsage().rss - workload.commands.byteLength;
  return { [`${when}HeapMb`]: heap, [`${when}RssMb`]: toMb(resident) };
}

function prefill(session: Session, workload: Workload): void {
  runUntimed(session, 0, workload.prefill);
}

function runUntimed(session: Session, first: number, end: number): void {
  for (let from = first; from < end; from += CHUNK) {
    const to = Math.min(from + CHUNK, end);
    session.prepare(from, to);
    session.run(from, to);
  }
  session.prepare(end, end);
}

/** Complaints are printed where they arise and counted for whoever reads the measurement. */
function checks(session: Session): Measurement {
  const { tally, complaints } = session.finish();
  for (const complaint of complaints) console.error(`bench: ${complaint}`);
  return { ...tally, complaints: complaints.length };
}
