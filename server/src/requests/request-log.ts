// The request log as the server's main thread sees it: memory that finished requests are copied into, handed to a thread
// twice a second. That bounds what the log costs however much comes; what does not fit is counted.
import { Worker } from 'node:worker_threads';
import type { Clock } from '@sibyl/lane';
import type {
  FinishedRequest,
  LoggedRequest,
  RequestFilter,
  RequestOwner,
  RequestReader,
  RequestRecord,
  RequestSink,
  RequestSummary,
} from '../ports/requests.ts';
import { BatchWriter } from './batch.ts';
import type { FromThread, Question, RequestFileOptions, ToThread } from './request-worker.ts';

export interface RequestLogOptions extends RequestFileOptions {
  readonly clock: Clock;
  /** Told when requests could not be written, with the reason. */
  readonly failed: (reason: string) => void;
  /** Of one batch; a megabyte unless told. */
  readonly batchBytes?: number;
}

const BATCH_BYTES = 1_048_576;
/** Batches that may be with the thread, or on their way, beside the one that is filled. */
const BATCHES_AWAY_MAX = 2;
const HAND_OVER_EVERY_MS = 500;
/** Nobody may fill more of a batch than a fourth of it, so that others find room. */
const SHARES = 4;
const WAITING_MAX = 100;

interface Holder {
  bytes: number;
  dropped: number;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class RequestLog implements RequestSink, RequestReader {
  readonly #options: RequestLogOptions;
  readonly #batchBytes: number;
  readonly #holders = new Map<string, Holder>();
  /** Those who have left since the start: the request that closes an account must not be the first of a new log. */
  readonly #forgotten = new Set<string>();
  readonly #waiting: Waiting[] = [];
  /** Questions that wait until what was added before them can be handed over. */
  readonly #later: (Waiting & { readonly question: Question })[] = [];
  #batch: BatchWriter;
  #batchesAway = 0;
  #spare: ArrayBuffer | null = null;
  #worker: Worker | null = null;
  #takeBack: (() => void) | null = null;
  #isClosed = false;
  /** Since the start. */
  droppedCount = 0;

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#batchBytes = options.batchBytes ?? BATCH_BYTES;
    this.#batch = new BatchWriter(new ArrayBuffer(this.#batchBytes));
  }

  admits(holderId: string): boolean {
    if (this.#forgotten.has(holderId)) return false;
    const holder = this.#holderOf(holderId);
    if (this.#batch.hasRoom && holder.bytes * SHARES < this.#batchBytes) return true;
    this.#countDropped(holder);
    return false;
  }

  add(request: FinishedRequest): void {
    if (this.#forgotten.has(request.holderId)) return;
    const holder = this.#holderOf(request.holderId);
    const batch = this.#batch;
    if (!batch.hasRoom) {
      this.#countDropped(holder);
      return;
    }
    const before = batch.length;
    batch.add(request);
    holder.bytes += batch.length - before;
    this.#handOverSoon();
  }

  async list(filter: RequestFilter): Promise<readonly LoggedRequest[]> {
    return (await this.#ask({ kind: 'list', filter })) as readonly LoggedRequest[];
  }

  async one(owner: RequestOwner, requestId: string): Promise<RequestRecord | null> {
    return (await this.#ask({ kind: 'one', owner, requestId })) as RequestRecord | null;
  }

  async summary(owner: RequestOwner, nowMs: number): Promise<RequestSummary> {
    return (await this.#ask({ kind: 'summary', owner, nowMs })) as RequestSummary;
  }

  async forget(holderId: string): Promise<void> {
    this.#forgotten.add(holderId);
    await this.#ask({ kind: 'forget', holderId });
  }

  /** What was added before is written. */
  async close(): Promise<void> {
    this.#handOver('last');
    this.#isClosed = true;
    this.#takeBack?.();
    this.#takeBack = null;
    const worker = this.#worker;
    if (worker === null) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.ref();
    worker.postMessage({ kind: 'close' } satisfies ToThread);
    await exited;
  }

  #holderOf(holderId: string): Holder {
    let holder = this.#holders.get(holderId);
    if (holder === undefined) {
      holder = { bytes: 0, dropped: 0 };
      this.#holders.set(holderId, holder);
    }
    return holder;
  }

  #countDropped(holder: Holder): void {
    holder.dropped += 1;
    this.droppedCount += 1;
    this.#handOverSoon();
  }

  #handOverSoon(): void {
    this.#takeBack ??= this.#options.clock.setAlarm(HAND_OVER_EVERY_MS, () => {
      this.#takeBack = null;
      this.#handOver();
    });
  }

  /**
   * What the thread is asked afterwards, it answers with these in its file. While it has as many batches as it may have,
   * this one stays and is filled further: a thread that starts slowly loses nothing that there is room for.
   */
  #handOver(which: 'next' | 'last' = 'next'): void {
    const batch = this.#batch;
    if (this.#isClosed) return;
    const dropped = [...this.#holders].flatMap(([holderId, { dropped: count }]) =>
      count === 0 ? [] : [[holderId, count] as const],
    );
    if (batch.length === 0 && dropped.length === 0) return;
    if (which === 'next' && !this.#canHandOver) {
      this.#handOverSoon();
      return;
    }
    const finished = batch.finish(dropped);
    this.#holders.clear();
    this.#send({ kind: 'write', batch: finished, nowMs: this.#options.clock.wallMs() }, [
      finished.memory,
    ]);
    this.#batchesAway += 1;
    this.#batch = new BatchWriter(this.#spare ?? new ArrayBuffer(this.#batchBytes));
    this.#spare = null;
  }

  get #canHandOver(): boolean {
    return this.#batchesAway < BATCHES_AWAY_MAX;
  }

  #ask(question: Question): Promise<unknown> {
    if (this.#isClosed || this.#waiting.length + this.#later.length >= WAITING_MAX) {
      return Promise.reject(new Error('the request log does not answer now'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#later.push({ question, resolve, reject });
    if (this.#canHandOver) this.#askAll();
    return promise;
  }

  #askAll(): void {
    this.#handOver();
    for (const { question, resolve, reject } of this.#later.splice(0)) {
      this.#waiting.push({ resolve, reject });
      this.#send({ kind: 'ask', question }, []);
    }
  }

  #send(message: ToThread, moved: ArrayBuffer[]): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message, moved);
  }

  #start(): Worker {
    const { file, bytesMax, perHolderMax, keptMs, failed } = this.#options;
    const options: RequestFileOptions = { file, bytesMax, perHolderMax, keptMs };
    const worker = new Worker(new URL('./request-worker.ts', import.meta.url), {
      workerData: options,
    });
    // Nothing of the process waits for it but those who ask, and they have a connection.
    worker.unref();
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('error', (error) => failed(String(error)));
    worker.on('exit', () => this.#lose());
    return worker;
  }

  #hear(message: FromThread): void {
    if (message.kind === 'answer') {
      this.#waiting.shift()?.resolve(message.answer);
      return;
    }
    if (message.kind === 'failed') {
      this.#waiting.shift()?.reject(new Error(message.reason));
      return;
    }
    this.#batchesAway -= 1;
    this.droppedCount += message.lost;
    if (message.reason !== null) this.#options.failed(message.reason);
    this.#spare = message.memory;
    if (this.#later.length > 0) this.#askAll();
  }

  /** The next use starts another thread; what was with this one is lost. */
  #lose(): void {
    this.#worker = null;
    this.#batchesAway = 0;
    const error = new Error('the thread of the request log ended');
    const lost = this.#isClosed ? [...this.#waiting, ...this.#later.splice(0)] : this.#waiting;
    for (const { reject } of lost) reject(error);
    this.#waiting.length = 0;
    // Questions that were never sent are answered by the next thread.
    if (this.#later.length > 0) this.#askAll();
  }
}
