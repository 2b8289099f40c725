// What tests of other packages need of a lane: a clock that stands still, journals in memory and without a thread.

export { sealCommit } from './journal/chain.ts';
export { MemoryJournal, MemoryStore } from './journal/memory-journal.ts';
export { DirectJournal } from './journal/sqlite/direct-journal.ts';
export { JournalFile, type JournalFileOptions } from './journal/sqlite/journal-file.ts';
export { loadFrozen } from './logic/frozen.ts';
export { outcomeDigest } from './record/outcome-digest.ts';
export { textOf, writeRecord } from './record/record.ts';
export { ManualClock } from './time/manual-clock.ts';
