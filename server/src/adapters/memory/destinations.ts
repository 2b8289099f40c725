// Destinations in memory: the reference that the durable store is held against, and for tests.
import type {
  DestinationAddition,
  DestinationRecord,
  DestinationStore,
} from '../../ports/destinations.ts';
import type { PasswordReset } from '../../ports/links.ts';

export class MemoryDestinationStore implements DestinationStore {
  readonly #destinations = new Map<string, DestinationRecord>();

  async of(userId: string): Promise<readonly DestinationRecord[]> {
    return [...this.#destinations.values()]
      .filter((each) => each.userId === userId)
      .sort(
        (one, other) =>
          one.createdAtMs - other.createdAtMs || (one.destinationId < other.destinationId ? -1 : 1),
      );
  }

  async add(destination: DestinationRecord, max: number): Promise<DestinationAddition> {
    const known = await this.of(destination.userId);
    if (known.some((each) => each.destination === destination.destination)) return 'taken';
    if (known.length >= max) return 'too_many';
    this.#destinations.set(destination.destinationId, destination);
    return 'added';
  }

  restartDelay(
    userId: string,
    { addedSinceMs, usableFromMs }: PasswordReset['destinations'],
  ): void {
    for (const each of this.#destinations.values()) {
      const isRecent = each.userId === userId && each.createdAtMs >= addedSinceMs;
      if (!isRecent || each.usableFromMs >= usableFromMs) continue;
      this.#destinations.set(each.destinationId, { ...each, usableFromMs });
    }
  }

  async remove(userId: string, destinationId: string): Promise<DestinationRecord | null> {
    const known = this.#destinations.get(destinationId);
    if (known?.userId !== userId) return null;
    this.#destinations.delete(destinationId);
    return known;
  }
}
