// Letters that wait, in memory.
import type { KeptLetter, LetterStore, TakenLetter, WaitingLetters } from '../../ports/letters.ts';

interface Entry {
  readonly letter: KeptLetter;
  readonly attempts: number;
  readonly dueAtMs: number;
}

export class MemoryLetterStore implements LetterStore {
  readonly #entries = new Map<string, Entry>();

  async add(letter: KeptLetter, dueAtMs: number, waitingMax: number): Promise<boolean> {
    if (this.#entries.size >= waitingMax) return false;
    this.#entries.set(letter.letterId, { letter, attempts: 0, dueAtMs });
    return true;
  }

  async take(nowMs: number, untilMs: number, limit: number): Promise<readonly TakenLetter[]> {
    const due = this.#byDue().filter(({ dueAtMs }) => dueAtMs <= nowMs);
    return due.slice(0, limit).map(({ letter, attempts }) => {
      const taken = attempts + 1;
      this.#entries.set(letter.letterId, { letter, attempts: taken, dueAtMs: untilMs });
      return { ...letter, attempts: taken };
    });
  }

  async postpone(letterId: string, dueAtMs: number): Promise<void> {
    const entry = this.#entries.get(letterId);
    if (entry !== undefined) this.#entries.set(letterId, { ...entry, dueAtMs });
  }

  async remove(letterId: string): Promise<void> {
    this.#entries.delete(letterId);
  }

  async waiting(): Promise<WaitingLetters> {
    return { count: this.#entries.size, nextDueMs: this.#byDue()[0]?.dueAtMs ?? null };
  }

  async prune(beforeMs: number): Promise<void> {
    for (const { letter } of this.#entries.values()) {
      if (letter.expiresAtMs < beforeMs) this.#entries.delete(letter.letterId);
    }
  }

  forget(userId: string): void {
    for (const { letter } of this.#entries.values()) {
      if (letter.userId === userId) this.#entries.delete(letter.letterId);
    }
  }

  #byDue(): readonly Entry[] {
    return [...this.#entries.values()].sort(
      (a, b) => a.dueAtMs - b.dueAtMs || (a.letter.letterId < b.letter.letterId ? -1 : 1),
    );
  }
}
