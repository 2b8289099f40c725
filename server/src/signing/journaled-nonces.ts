// The nonce of a signed order goes into the journal with its command, in one commit; a start reads back those of the last minutes.
import { type Journal, recordsOf } from '@sibyl/lane';
import { nonceIn } from '../handling/journaled-request.ts';
import { NONCE_KEPT_MS, type NonceBook } from './nonce-book.ts';

/** Spends again what commands of the journal had spent; how many there were. */
export async function recallNonces(
  journal: Journal,
  book: NonceBook,
  now: { readonly wallMs: number; readonly monotonicMs: number },
): Promise<number> {
  const sinceMs = now.wallMs - NONCE_KEPT_MS;
  const { seq: headSeq } = await journal.head();
  if (headSeq === 0) return 0;
  let recalled = 0;
  for await (const commits of journal.read(await seqBefore(journal, headSeq, sinceMs))) {
    for (const record of commits.flatMap(recordsOf)) {
      const spent = record.tsMs < sinceMs ? null : nonceIn(record);
      if (spent === null) continue;
      book.spend(book.spenderOf(spent.publicId), spent.nonce, now.monotonicMs);
      recalled += 1;
    }
  }
  return recalled;
}

/** A place in the journal before the given time: found by steps back that double. */
async function seqBefore(journal: Journal, headSeq: number, atMs: number): Promise<number> {
  for (let step = 1_024; ; step *= 2) {
    const seq = Math.max(1, headSeq - step);
    if (seq === 1 || (await timeAt(journal, seq)) < atMs) return seq;
  }
}

async function timeAt(journal: Journal, seq: number): Promise<number> {
  for await (const [commit] of journal.read(seq)) return commit?.tsMs ?? 0;
  return 0;
}
