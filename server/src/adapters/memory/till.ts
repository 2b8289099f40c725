// The books of the local custody in memory: the reference that the durable store is held against, and for tests.
import type { TillEntry, TillStore } from '../../ports/till.ts';

export class MemoryTillStore implements TillStore {
  readonly #entries = new Map<string, TillEntry>();

  async enter(entry: TillEntry): Promise<boolean> {
    if (this.#entries.has(entry.entryId)) return false;
    this.#entries.set(entry.entryId, entry);
    return true;
  }

  async entries(entryIds: readonly string[]): Promise<readonly TillEntry[]> {
    return entryIds.flatMap((id) => this.#entries.get(id) ?? []);
  }

  async noted(note: string): Promise<readonly TillEntry[]> {
    return [...this.#entries.values()].filter((entry) => entry.note === note);
  }

  async balance(): Promise<bigint | null> {
    if (this.#entries.size === 0) return null;
    return [...this.#entries.values()].reduce((sum, { amount }) => sum + amount, 0n);
  }
}
