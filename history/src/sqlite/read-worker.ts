// The thread that writes the read model, so that the event loop never waits for it.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { PageSums } from '@sibyl/storage';
import type { ReadBatch } from '../store/read-store.ts';
import { type NewName, openReadFile, ReadFile } from './read-file.ts';

export type ReadRequest =
  | { readonly kind: 'write'; readonly batch: ReadBatch; readonly names: readonly NewName[] }
  | { readonly kind: 'commit' | 'close' };

/** One for each request, in their order; null when it went well. */
export type ReadReply = { readonly name: string; readonly message: string } | null;

/** Orders go first where cores are few: history has seconds for what they have milliseconds for. */
const NICENESS = 10;

if (parentPort !== null) serve(parentPort, workerData);

function serve(port: NonNullable<typeof parentPort>, file: string): void {
  // There it is the priority of this thread alone; elsewhere it would be that of the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  let opened: ReadFile | null = null;
  port.on('message', (request: ReadRequest) => {
    try {
      opened ??= openChecked(file);
      answer(opened, request);
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      port.postMessage({ name, message } satisfies ReadReply);
      return;
    }
    port.postMessage(null satisfies ReadReply);
    if (request.kind === 'commit') opened.tidy();
    if (request.kind === 'close') port.close();
  });
}

/** Its pages were checked by whoever reads it, before this thread began. */
function openChecked(file: string): ReadFile {
  const sums = new PageSums({ file, isSynced: false, isChecked: false });
  return new ReadFile(openReadFile(file), sums);
}

function answer(file: ReadFile, request: ReadRequest): void {
  switch (request.kind) {
    case 'write':
      file.write(request.batch, request.names);
      return;
    case 'commit':
      file.commit();
      return;
    case 'close':
      file.close();
      return;
  }
}
