// Flips in every region of a SQLite file: each must be found before the file is used.
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

export interface Flip {
  readonly file: string;
  readonly offset: number;
  readonly bit: number;
}

export const PAGE_BYTES = 4096;
const FILE_HEADER_BYTES = 100;
/** Type, first free block, cells, start of the cells, fragments, right child. */
const PAGE_HEADER_BYTES = 12;
const STRIDE = 2039;

/** All of the file's header, and of every page a byte of its header, of its cells, of its middle and of its end. */
export function flipsInPages(file: string, pageBytes = PAGE_BYTES): readonly Flip[] {
  const offsets = new Set<number>();
  for (let offset = 0; offset < FILE_HEADER_BYTES; offset += 1) offsets.add(offset);
  const size = sizeOf(file);
  for (let start = 0; start < size; start += pageBytes) {
    const header = start === 0 ? FILE_HEADER_BYTES : start;
    offsets.add(header + ((start / pageBytes) % PAGE_HEADER_BYTES));
    for (let byte = start; byte < start + pageBytes; byte += STRIDE) offsets.add(byte);
    offsets.add(start + pageBytes - 1);
  }
  return [...offsets].filter((offset) => offset < size).map((offset) => flipAt(file, offset));
}

/** Every byte of a small file, or so many bytes spread over it. */
export function flipsIn(file: string, count: number): readonly Flip[] {
  const size = sizeOf(file);
  const step = Math.max(1, size / count);
  const flips: Flip[] = [];
  for (let at = 0; at < size; at += step) flips.push(flipAt(file, Math.floor(at)));
  return flips;
}

/** Flips the bit; called again, it flips it back. */
export function flip({ file, offset, bit }: Flip): void {
  const descriptor = openSync(file, 'r+');
  try {
    const byte = Buffer.alloc(1);
    readSync(descriptor, byte, 0, 1, offset);
    byte[0] = byte[0]! ^ (1 << bit);
    writeSync(descriptor, byte, 0, 1, offset);
  } finally {
    closeSync(descriptor);
  }
}

interface Opened {
  close(): unknown;
}

/** The first flip that is not refused as damage; what it may do to the file then makes the others meaningless. */
export async function firstTaken(
  flips: readonly Flip[],
  open: () => Opened | Promise<Opened>,
): Promise<Flip | null> {
  for (const one of flips) {
    flip(one);
    try {
      const opened = await open();
      await opened.close();
      return one;
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(' is damaged'))) return one;
      flip(one);
    }
  }
  return null;
}

function flipAt(file: string, offset: number): Flip {
  return { file, offset, bit: (offset * 5 + 3) % 8 };
}

function sizeOf(file: string): number {
  const descriptor = openSync(file, 'r');
  try {
    return fstatSync(descriptor).size;
  } finally {
    closeSync(descriptor);
  }
}
