// The planted bug that the crash images must find: a journal whose commits are not synced.
import { DirectJournal, JournalFile, type JournalFileOptions } from '@sibyl/lane/testing';

export function openWeakJournal(options: JournalFileOptions): DirectJournal {
  const file = new JournalFile(options);
  file.database.pragma('synchronous = NORMAL');
  return new DirectJournal(file);
}
