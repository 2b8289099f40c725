// Files that nobody but their owner may read.
import { closeSync, openSync } from 'node:fs';

/** Makes the file unless it is there. What SQLite puts beside it gets the same rights. */
export function ownFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}
