// kill -9 at a random moment, again and again: what was acknowledged is there once, what was not has one fate.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_PARAMETERS, encodeValue, type MarketId, type Outcome } from '@sibyl/engine';
import { replayAfter, SnapshotStore, type Submission, verify } from '@sibyl/lane';
import { DirectJournal } from '@sibyl/lane/testing';
import { command, type Draw, drawFrom, openMarket } from '../../../lane/test/workload.ts';
import { Subject, SubjectGone, subjectOptions } from './driver.ts';
import type { Done } from './protocol.ts';

export interface KillReport {
  readonly rounds: number;
  /** Kills of subjects that were still recovering, beside one in each round. */
  readonly startKills: number;
  readonly acknowledged: number;
  /** Requests without an answer when the subject died; each was sent again. */
  readonly unknown: number;
  /** Of those, how many had taken effect before the kill. */
  readonly unknownButDone: number;
  readonly records: number;
  readonly recoveryMsMax: number;
}

const CLIENTS = 8;
/** At most, on the whole. */
const ROUNDS_PER_START_KILL = 4;

/** Throws at the first promise that was broken. */
export async function runKills(
  rounds: number,
  seed: number,
  progress: (round: number) => void = () => {},
): Promise<KillReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'sibyl-kills-'));
  const run = new KillRun(directory, drawFrom(seed));
  try {
    for (let round = 1; round <= rounds; round++) {
      await run.round();
      progress(round);
    }
    return await run.finish(rounds);
  } finally {
    run.subject?.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

class KillRun {
  subject: Subject | null = null;
  readonly #directory: string;
  readonly #draw: Draw;
  readonly #acknowledged = new Map<string, Done>();
  readonly #submissions = new Map<string, Submission>();
  #unanswered: string[] = [];
  #market: MarketId | null = null;
  #unknown = 0;
  #unknownButDone = 0;
  #recoveryMsMax = 0;
  /** The last start: the slowest may have been the first, and a kill after so long comes when all is over. */
  #recoveryMs = 0;
  #startKills = 0;

  constructor(directory: string, draw: Draw) {
    this.#directory = directory;
    this.#draw = draw;
  }

  async round(): Promise<void> {
    const subject = await this.#start();
    await this.#askAgain(subject);
    const killed = sleep(5 + this.#draw(400)).then(() => subject.kill());
    await Promise.all(Array.from({ length: CLIENTS }, () => this.#trade(subject)));
    await killed;
    await subject.ended;
    // A subject that dies while it recovers must come up all the same.
    while (this.#draw(5) < 2) await this.#killStarting();
  }

  /** Somewhere between its first instruction and its first answer. */
  async #killStarting(): Promise<void> {
    const victim = new Subject(subjectOptions(this.#directory));
    const isReady = victim.ready().then(
      () => true,
      () => false,
    );
    const usualMs = Math.max(50, this.#recoveryMs);
    await Promise.race([isReady, sleep(this.#draw(usualMs))]);
    victim.kill();
    await victim.ended;
    if (!(await isReady)) this.#startKills += 1;
  }

  async finish(rounds: number): Promise<KillReport> {
    // How many there were so far was up to chance, and to how busy the machine is.
    while (this.#startKills < rounds / ROUNDS_PER_START_KILL) await this.#killStarting();
    const subject = await this.#start();
    await this.#askAgain(subject);
    const liveHash = await subject.stateHash();
    subject.kill();
    await subject.ended;
    const records = await this.#checkJournal(liveHash);
    return {
      rounds,
      startKills: this.#startKills,
      acknowledged: this.#acknowledged.size,
      unknown: this.#unknown,
      unknownButDone: this.#unknownButDone,
      records,
      recoveryMsMax: this.#recoveryMsMax,
    };
  }

  async #start(): Promise<Subject> {
    const began = performance.now();
    const subject = new Subject(subjectOptions(this.#directory));
    this.subject = subject;
    try {
      await subject.ready();
    } catch (error) {
      if (!(error instanceof SubjectGone)) throw error;
      throw new Error(`the subject did not come up: ${(await subject.ended).errors}`);
    }
    this.#recoveryMs = Math.round(performance.now() - began);
    this.#recoveryMsMax = Math.max(this.#recoveryMsMax, this.#recoveryMs);
    this.#market ??= await openMarket(async (submission) => {
      const reply = await subject.submit(submission);
      if (reply.kind !== 'done') throw new Error(`the opening was refused: ${reply.kind}`);
      return reply.answer;
    });
    return subject;
  }

  /** A client: one request after the other until the subject is gone. */
  async #trade(subject: Subject): Promise<void> {
    for (;;) {
      const name = `c${this.#submissions.size}`;
      const submission = command(this.#draw, name, this.#market!);
      this.#submissions.set(name, submission);
      try {
        this.#note(name, await subject.submit(submission));
      } catch (error) {
        if (!(error instanceof SubjectGone)) throw error;
        this.#unanswered.push(name);
        return;
      }
    }
  }

  /** Unknown requests are repeated with their key; a sample of acknowledged ones must get the same answer again. */
  async #askAgain(subject: Subject): Promise<void> {
    const unanswered = this.#unanswered;
    this.#unanswered = [];
    this.#unknown += unanswered.length;
    for (const name of unanswered) {
      const reply = await subject.submit(this.#submissions.get(name)!);
      if (reply.kind === 'done' && reply.replayed) this.#unknownButDone += 1;
      this.#note(name, reply);
    }
    const names = [...this.#acknowledged.keys()].slice(-40);
    for (const name of names) {
      const before = this.#acknowledged.get(name)!;
      const again = await subject.submit(this.#submissions.get(name)!);
      if (again.kind !== 'done' || !again.replayed)
        throw new Error(`${name} was acknowledged at ${before.seq} and is lost`);
      if (encodeValue(again.answer) !== encodeValue(before.answer))
        throw new Error(`${name} got another answer`);
    }
  }

  #note(name: string, reply: Awaited<ReturnType<Subject['submit']>>): void {
    if (reply.kind !== 'done') throw new Error(`${name} was refused: ${encodeValue(reply)}`);
    this.#acknowledged.set(name, reply);
  }

  /** Everything at once: chain, outcomes, invariants, snapshots, the live state, and one effect per key. */
  async #checkJournal(liveHash: string): Promise<number> {
    const journal = DirectJournal.open({
      file: path.join(this.#directory, 'journal.db'),
      reserveBytes: 64 << 10,
    });
    const snapshots = new SnapshotStore(path.join(this.#directory, 'snapshots'));
    const source = { lane: 'live', parameters: DEFAULT_PARAMETERS, journal, snapshots } as const;
    try {
      const verified = await verify(source);
      if (verified.stateHash !== liveHash)
        throw new Error('the live state is not what the journal leads to');
      await this.#checkEffects(source);
      return verified.seq;
    } finally {
      await journal.close();
    }
  }

  async #checkEffects(source: Parameters<typeof replayAfter>[0]): Promise<void> {
    const effects = new Map<string, Outcome>();
    const hashes = new Map<number, string>();
    for await (const batch of replayAfter(source, 0)) {
      for (const {
        command: { key, seq },
        outcome,
        hash,
      } of batch) {
        hashes.set(seq, hash);
        if (key === undefined || outcome.replayed) continue;
        if (effects.has(key.key)) throw new Error(`${key.key} took effect twice`);
        effects.set(key.key, outcome);
      }
    }
    for (const [name, { seq, hash, answer }] of this.#acknowledged) {
      const effect = effects.get(name);
      if (effect === undefined)
        throw new Error(`${name} was acknowledged and is not in the journal`);
      if (hashes.get(seq) !== hash)
        throw new Error(`record ${seq} is not the one that was acknowledged`);
      if (encodeValue(effect.answer) !== encodeValue(answer))
        throw new Error(`${name}: another answer is in the journal`);
    }
  }
}
