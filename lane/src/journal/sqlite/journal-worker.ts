// The thread that owns the journal file, so that the event loop never waits for the disk.
import { parentPort, workerData } from 'node:worker_threads';
import type { JournalCommit, JournalHead } from '../journal.ts';
import { JournalFile, type JournalFileOptions } from './journal-file.ts';

export type JournalRequest =
  | { readonly kind: 'append'; readonly commit: JournalCommit; readonly epoch: number }
  | { readonly kind: 'resume'; readonly epoch: number }
  | { readonly kind: 'page'; readonly fromSeq: number; readonly limit: number }
  | { readonly kind: 'lead' | 'head' | 'refill' | 'close' };

export type JournalValue =
  | null
  | string
  | number
  | boolean
  | JournalHead
  | readonly JournalCommit[];

/** Replies come in the order of the requests; the first one says how the opening went, with its warning if it has one. */
export type JournalReply =
  | { readonly ok: true; readonly value: JournalValue; readonly isOnReserve: boolean }
  | { readonly ok: false; readonly name: string; readonly message: string };

if (parentPort !== null) serve(parentPort, workerData);

function serve(port: NonNullable<typeof parentPort>, options: JournalFileOptions): void {
  const reply = (action: () => JournalValue, isOnReserve: () => boolean): boolean => {
    try {
      const value = action();
      const answered: JournalReply = { ok: true, value, isOnReserve: isOnReserve() };
      port.postMessage(answered, handedOver(value));
      return true;
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      port.postMessage({ ok: false, name, message } satisfies JournalReply);
      return false;
    }
  };

  let journal: JournalFile | null = null;
  const opened = reply(
    () => {
      journal = new JournalFile(options);
      return journal.warning;
    },
    () => journal?.isOnReserve ?? false,
  );
  if (!opened || journal === null) return;
  const file: JournalFile = journal;
  port.on('message', (request: JournalRequest) => {
    reply(
      () => answer(file, request),
      () => file.isOnReserve,
    );
    if (request.kind === 'append') file.tidy();
    if (request.kind === 'close') port.close();
  });
}

/** The records of a page are the reader's from now on: a copy of each would be memory that nobody has used before. */
function handedOver(value: JournalValue): ArrayBuffer[] {
  if (!Array.isArray(value)) return [];
  const buffers: ArrayBuffer[] = [];
  for (const { records } of value as readonly JournalCommit[]) {
    const { buffer, byteLength } = records;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffers.push(buffer);
  }
  return buffers;
}

function answer(file: JournalFile, request: JournalRequest): JournalValue {
  switch (request.kind) {
    case 'append':
      file.append(request.commit, request.epoch);
      return null;
    case 'resume':
      file.resume(request.epoch);
      return null;
    case 'page':
      return file.page(request.fromSeq, request.limit);
    case 'lead':
      return file.lead();
    case 'head':
      return file.head();
    case 'refill':
      return file.refillReserve();
    case 'close':
      file.close();
      return null;
  }
}
