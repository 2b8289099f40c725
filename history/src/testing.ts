// What tests of other packages need of a history: a read store in memory, and tables that are filled by hand.

export { UnflushedRows } from './projector/unflushed-rows.ts';
export { IN_MEMORY, SqliteReadStore } from './sqlite/read-store.ts';
