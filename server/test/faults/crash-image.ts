// The disk as a power cut may leave it: what was synced for certain, of the rest nothing, everything, or torn pieces.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Draw } from '../../../lane/test/workload.ts';
import type { FileCall } from './trace.ts';

export type CutMode = 'none' | 'torn' | 'all';

const SECTOR = 512;

type Pending =
  | { readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly length: number };

class File {
  durable: Buffer = Buffer.alloc(0);
  pending: Pending[] = [];
  readonly isDirectory: boolean;

  constructor(isDirectory: boolean) {
    this.isDirectory = isDirectory;
  }

  sync(): void {
    for (const change of this.pending) this.durable = applied(this.durable, change, () => true);
    this.pending = [];
  }

  forget(): void {
    this.pending = [];
  }

  content(keep: (sector: number) => boolean): Buffer {
    let bytes: Buffer = Buffer.from(this.durable);
    for (const change of this.pending) bytes = applied(bytes, change, keep);
    return bytes;
  }
}

/** Names and contents, each as they are and as they are known to be on the disk. */
export class Disk {
  readonly #root: string;
  #names = new Map<string, File>();
  #durableNames = new Map<string, File>();

  constructor(root: string) {
    this.#root = root;
  }

  replay(call: FileCall): void {
    switch (call.kind) {
      case 'create':
        this.#create(call.path, call.node === 'directory');
        return;
      case 'write':
        if (Number.isNaN(call.offset)) {
          if (call.path.endsWith('-reserve')) return;
          throw new Error(`a write without an offset to ${call.path}`);
        }
        this.#file(call.path).pending.push({ kind: 'write', offset: call.offset, data: call.data });
        return;
      case 'truncate':
        this.#create(call.path, false);
        this.#file(call.path).pending.push({ kind: 'truncate', length: call.length });
        return;
      case 'sync':
        this.#sync(call.path);
        return;
      case 'rename':
        this.#names.set(call.to, this.#file(call.path));
        this.#names.delete(call.path);
        return;
      case 'unlink':
        this.#names.delete(call.path);
        return;
      case 'injected':
        // The kernel reports a failed sync once and forgets: readers still see the data, the disk never gets them.
        if (call.call === 'fsync' || call.call === 'fdatasync')
          this.#names.get(call.path)?.forget();
        return;
      case 'said':
        return;
    }
  }

  /** Writes the image into a directory that takes the root's place. */
  write(target: string, mode: CutMode, draw: Draw): void {
    const keep = (): boolean => mode === 'all' || (mode === 'torn' && draw(2) === 0);
    mkdirSync(target, { recursive: true });
    const names = new Set([...this.#names.keys(), ...this.#durableNames.keys()]);
    const gone: string[] = [];
    for (const name of [...names].sort()) {
      const now = this.#names.get(name);
      const before = this.#durableNames.get(name);
      const file = now === before || !keep() ? before : now;
      if (file === undefined || gone.some((folder) => name.startsWith(`${folder}/`))) {
        gone.push(name);
        continue;
      }
      const copied = path.join(target, path.relative(this.#root, name));
      if (file.isDirectory) mkdirSync(copied, { recursive: true });
      else writeFileSync(copied, file.content(keep));
    }
  }

  #create(name: string, isDirectory: boolean): void {
    if (!this.#names.has(name)) this.#names.set(name, new File(isDirectory));
  }

  #sync(name: string): void {
    const file = this.#names.get(name);
    if (name !== this.#root && file !== undefined && !file.isDirectory) {
      file.sync();
      return;
    }
    for (const entry of new Set([...this.#names.keys(), ...this.#durableNames.keys()])) {
      if (path.dirname(entry) !== name) continue;
      const now = this.#names.get(entry);
      if (now === undefined) this.#durableNames.delete(entry);
      else this.#durableNames.set(entry, now);
    }
  }

  #file(name: string): File {
    const file = this.#names.get(name);
    if (file === undefined) throw new Error(`${name} was used before it was created`);
    return file;
  }
}

/** A write reaches the disk by sectors, each of which is there or not. */
function applied(bytes: Buffer, change: Pending, keep: (sector: number) => boolean): Buffer {
  if (change.kind === 'truncate') {
    if (!keep(0)) return bytes;
    if (change.length <= bytes.length) return bytes.subarray(0, change.length);
    return Buffer.concat([bytes, Buffer.alloc(change.length - bytes.length)]);
  }
  const { offset, data } = change;
  let result = bytes;
  for (let from = 0; from < data.length; ) {
    const sector = Math.floor((offset + from) / SECTOR);
    const to = Math.min(data.length, (sector + 1) * SECTOR - offset);
    if (keep(sector)) {
      if (result.length < offset + to) {
        result = Buffer.concat([result, Buffer.alloc(offset + to - result.length)]);
      }
      data.copy(result, offset + from, from, to);
    }
    from = to;
  }
  return result;
}
