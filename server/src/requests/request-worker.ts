// The thread of the request log: it reads what requests were, cuts what is secret, writes its file and answers who asks.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import {
  type NewRequest,
  type RequestBounds,
  RequestFile,
} from '../adapters/sqlite/request-file.ts';
import type { RequestFilter, RequestOwner } from '../ports/requests.ts';
import { type PackedRequest, type RequestBatch, requestsOf } from './batch.ts';
import { shownBody, shownHead } from './shown.ts';

export interface RequestFileOptions extends RequestBounds {
  readonly file: string;
}

export type Question =
  | { readonly kind: 'list'; readonly filter: RequestFilter }
  | { readonly kind: 'one'; readonly owner: RequestOwner; readonly requestId: string }
  | { readonly kind: 'summary'; readonly owner: RequestOwner; readonly nowMs: number }
  | { readonly kind: 'forget'; readonly holderId: string };

export type ToThread =
  | { readonly kind: 'write'; readonly batch: RequestBatch; readonly nowMs: number }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'close' };

export type FromThread =
  /** The memory of a batch comes back; how many requests of it could not be written, and why. */
  | {
      readonly kind: 'written';
      readonly memory: ArrayBuffer;
      readonly lost: number;
      readonly reason: string | null;
    }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: string };

/** Orders go first where cores are few. */
const NICENESS = 10;

function serve(port: NonNullable<typeof parentPort>, options: RequestFileOptions): void {
  // There it is the priority of this thread alone; elsewhere it would be that of the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  const keeper = new Keeper(options);
  port.on('message', (message: ToThread) => {
    if (message.kind === 'close') {
      keeper.close();
      port.close();
      return;
    }
    if (message.kind === 'write') {
      const reply = keeper.write(message.batch, message.nowMs);
      port.postMessage(reply satisfies FromThread, [message.batch.memory]);
      return;
    }
    port.postMessage(keeper.answer(message.question));
  });
}

/** The file, made anew when it turns out to be damaged. */
class Keeper {
  readonly #options: RequestFileOptions;
  #opened: RequestFile | null = null;

  constructor(options: RequestFileOptions) {
    this.#options = options;
  }

  write(batch: RequestBatch, nowMs: number): FromThread {
    const { memory, dropped } = batch;
    const requests = [...requestsOf(batch)].map(shownRequest);
    try {
      this.#with((file) => file.write(requests, dropped, nowMs));
      return { kind: 'written', memory, lost: 0, reason: null };
    } catch (error) {
      return { kind: 'written', memory, lost: requests.length, reason: reasonOf(error) };
    }
  }

  answer(question: Question): FromThread {
    try {
      return { kind: 'answer', answer: this.#with((file) => found(file, question)) };
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error) };
    }
  }

  close(): void {
    this.#opened?.close();
  }

  /** Does it once more with a new file if this one is damaged. */
  #with<T>(work: (file: RequestFile) => T): T {
    try {
      return work(this.#file());
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#opened?.close();
      this.#opened = null;
      RequestFile.remove(this.#options.file);
      return work(this.#file());
    }
  }

  #file(): RequestFile {
    this.#opened ??= RequestFile.open(this.#options.file, this.#options);
    return this.#opened;
  }
}

function found(file: RequestFile, question: Question): unknown {
  switch (question.kind) {
    case 'list':
      return file.list(question.filter);
    case 'one':
      return file.one(question.owner, question.requestId);
    case 'summary':
      return file.summary(question.owner, question.nowMs);
    case 'forget':
      return file.forget(question.holderId);
  }
}

function shownRequest({ head, ...request }: PackedRequest): NewRequest {
  return {
    ...request,
    ...shownHead(head),
    body: shownBody(request.body),
    answer: shownBody(request.answer),
  };
}

function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (parentPort !== null) serve(parentPort, workerData);
