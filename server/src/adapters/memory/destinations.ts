// Destinations in memory: the reference that the durable store is held against, and for tests.
import type {
  DestinationAddition,
  DestinationRecord,
  DestinationStore,
} from '../../ports/destinations.ts';

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

  async remove(userId: string, destinationId: string): Promise<DestinationRecord | null> {
    const known = this.#destinations.get(destinationId);
    if (known?.userId !== userId) return null;
    this.#destinations.delete(destinationId);
    return known;
  }
}
