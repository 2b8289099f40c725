// Scalar's script. Whoever loads its package holds the script twice as text from then on, 17 MB: a thread does, when the
// page is first looked at, and ends once it has handed over the bytes.
import { Worker } from 'node:worker_threads';

let script: Promise<Buffer> | null = null;

export function referenceScript(): Promise<Buffer> {
  script ??= read().catch((error: unknown) => {
    script = null;
    throw error;
  });
  return script;
}

async function read(): Promise<Buffer> {
  const worker = new Worker(new URL('./reference-script-worker.ts', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread that reads the script has ended')));
  const bytes = await promise;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
