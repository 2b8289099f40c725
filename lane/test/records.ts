// Records of a commit as tests make and alter them.
import type { Command, Outcome } from '@sibyl/engine';
import { TextSheet } from '@sibyl/lane';
import { outcomeDigest, textOf, writeRecord } from '@sibyl/lane/testing';

export function recordOf(command: Command, outcome: Outcome): Uint8Array {
  const sheet = new TextSheet();
  sheet.begin();
  writeRecord(sheet, command, outcomeDigest(outcome), { requestId: 'r' }, 0);
  return sheet.written();
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The same records with another text. */
export function alterText(records: Uint8Array, change: (text: string) => string): Uint8Array {
  return bytesOf(change(textOf(records)));
}
