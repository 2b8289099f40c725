// The planted bug that the crash images must find: a journal whose commits are not synced.
import { DirectJournal } from '../../src/adapters/sqlite/direct-journal.ts';
import { JournalFile, type JournalFileOptions } from '../../src/adapters/sqlite/journal-file.ts';

export function openWeakJournal(options: JournalFileOptions): DirectJournal {
  const file = new JournalFile(options);
  file.database.pragma('synchronous = NORMAL');
  return new DirectJournal(file);
}
