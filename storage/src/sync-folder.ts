// Makes the entries of a folder durable: a new or moved file is only there for certain once its folder was synced.
import { closeSync, fsyncSync, openSync } from 'node:fs';

export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
