// How much room a disk has left, and what to do before it has none.

const SCARCE_BYTES = 1 << 30;

export interface DiskRoom {
  readonly isScarce: boolean;
  readonly words: string;
}

export function diskRoom(freeBytes: number): DiskRoom {
  const isScarce = freeBytes < SCARCE_BYTES;
  const free = `${Math.floor(freeBytes / (1 << 20))} MiB free`;
  return { isScarce, words: isScarce ? `${free}; ${ADVICE}` : free };
}

const ADVICE =
  'once it is full, a lane takes nothing but cancels: remove old backups (sibyl backups shows their sizes), or stop the server and move the data folder to a larger disk';
