import { describeJournal } from '../../test/journal-suite.ts';
import { MemoryJournal, MemoryStore } from './memory-journal.ts';

describeJournal('memory', async () => {
  const store = new MemoryStore();
  return {
    open: async () => new MemoryJournal(store),
    dispose: async () => {},
    secondWriter: 'takes over',
  };
});
