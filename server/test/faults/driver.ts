// Starts the subject, speaks with it, and notices when it is gone.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { decodeValue, encodeValue } from '@sibyl/engine';
import type { Submission } from '@sibyl/lane';
import type { Reply, Request, SubjectOptions } from './protocol.ts';

/** The subject ended before it answered: the fate of the request is unknown. */
export class SubjectGone extends Error {}

export interface ExitResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

const SUBJECT = path.join(import.meta.dirname, 'subject.ts');

export function subjectOptions(
  directory: string,
  changes: Partial<SubjectOptions> = {},
): SubjectOptions {
  return {
    directory,
    snapshotEvery: 300,
    checkpointPages: 60,
    reserveBytes: 64 << 10,
    isWeak: false,
    isBrusque: false,
    ...changes,
  };
}

export class Subject {
  readonly ended: Promise<ExitResult>;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<
    number,
    { resolve: (reply: Reply) => void; reject: (error: Error) => void }
  >();
  #lastId = 0;
  #isGone = false;
  #errors = '';

  /** `wrapper` is a command that runs the subject for us, such as strace with its options. */
  constructor(options: SubjectOptions, wrapper: readonly string[] = []) {
    const [program, ...args] = [...wrapper, process.execPath, SUBJECT, encodeValue(options)];
    // Its own process group: a signal to the group reaches the subject through any wrapper.
    this.#process = spawn(program!, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      // A wrapper counts system calls, which must be the same in every run.
      env: { ...process.env, ...(wrapper.length > 0 && { NODE_DISABLE_COMPILE_CACHE: '1' }) },
    });
    this.#process.stderr!.on('data', (text: Buffer) => {
      this.#errors += text.toString();
    });
    this.#process.stdin!.on('error', () => {});
    createInterface({ input: this.#process.stdout! }).on('line', (line) => this.#take(line));
    this.ended = new Promise((resolve) => {
      this.#process.on('close', (code, signal) => {
        this.#isGone = true;
        for (const { reject } of this.#waiting.values())
          reject(new SubjectGone('the subject is gone'));
        this.#waiting.clear();
        resolve({ code, signal, errors: this.#errors });
      });
    });
  }

  /** The seq at which it came up. */
  async ready(): Promise<number> {
    const reply = await this.#await(0);
    if (reply.kind !== 'ready') throw new Error(`instead of ready: ${reply.kind}`);
    return reply.seq;
  }

  /** The next snapshot that is announced as durable. */
  async saved(): Promise<void> {
    await this.#await(-1);
  }

  submit(submission: Submission): Promise<Reply> {
    return this.#ask({ id: this.#nextId(), kind: 'submit', submission });
  }

  async stateHash(): Promise<string> {
    const reply = await this.#ask({ id: this.#nextId(), kind: 'state' });
    if (reply.kind !== 'state') throw new Error(`instead of a hash: ${reply.kind}`);
    return reply.hash;
  }

  async close(): Promise<ExitResult> {
    await this.#ask({ id: this.#nextId(), kind: 'close' });
    this.#process.stdin!.end();
    return this.ended;
  }

  kill(): void {
    if (!this.#isGone && this.#process.pid !== undefined)
      process.kill(-this.#process.pid, 'SIGKILL');
  }

  #ask(request: Request): Promise<Reply> {
    const reply = this.#await(request.id);
    this.#process.stdin!.write(`${encodeValue(request)}\n`);
    return reply;
  }

  #await(id: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#isGone) reject(new SubjectGone('the subject is gone'));
      else this.#waiting.set(id, { resolve, reject });
    });
  }

  /** A last line may be cut off by a kill; it then was not said. */
  #take(line: string): void {
    let reply: Reply;
    try {
      reply = decodeValue(line) as Reply;
    } catch {
      return;
    }
    this.#waiting.get(reply.id)?.resolve(reply);
    this.#waiting.delete(reply.id);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}
