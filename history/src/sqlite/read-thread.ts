// Requests to the thread that writes the read model; it starts with the first of them.
import { Worker } from 'node:worker_threads';
import type { ReadBatch } from '../store/read-store.ts';
import type { NewName } from './read-file.ts';
import type { ReadReply, ReadRequest } from './read-worker.ts';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class ReadThread {
  readonly #file: string;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | null = null;
  #gone: Error | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  write(batch: ReadBatch, names: readonly NewName[]): Promise<void> {
    return this.#ask({ kind: 'write', batch, names });
  }

  commit(): Promise<void> {
    return this.#ask({ kind: 'commit' });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null || this.#gone !== null) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    await this.#ask({ kind: 'close' });
    // Its last answer left it with nothing to do: without this the process could end before the thread has.
    worker.ref();
    await exited;
  }

  #ask(request: ReadRequest): Promise<void> {
    if (this.#gone !== null) return Promise.reject(this.#gone);
    this.#worker ??= this.#start();
    this.#worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ resolve, reject });
    this.#worker.postMessage(request);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
      workerData: this.#file,
    });
    worker.on('message', (reply: ReadReply) => this.#settle(reply));
    worker.on('error', (error) =>
      this.#lose(new Error(`the thread of the read model died: ${String(error)}`)),
    );
    worker.on('exit', () => this.#lose(new Error('the read model is closed')));
    return worker;
  }

  #settle(reply: ReadReply): void {
    const waiting = this.#waiting.shift();
    // Whoever forgets to close a store is not kept from ending by a thread that has nothing to do.
    if (this.#waiting.length === 0) this.#worker?.unref();
    if (reply === null) waiting?.resolve();
    else waiting?.reject(Object.assign(new Error(reply.message), { name: reply.name }));
  }

  #lose(error: Error): void {
    this.#gone ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#gone);
  }
}
