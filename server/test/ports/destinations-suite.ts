// What every store of destinations must do, whatever it is kept in.
import { describe, expect, it } from 'vitest';
import type { DestinationRecord } from '../../src/ports/destinations.ts';
import { stageOf } from './platform-stage.ts';
import type { PlatformHarness } from './platform-suite.ts';

const record = (name: string, changes: Partial<DestinationRecord> = {}): DestinationRecord => ({
  destinationId: `dst_${name}`,
  userId: 'usr_ada',
  label: 'bank ☃',
  destination: `DE89 ${name}`,
  createdAtMs: 1_790_000_000_000,
  usableFromMs: 1_790_086_400_000,
  ...changes,
});

export function describeDestinations(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`destinations: ${name}`, () => {
    const stage = stageOf(create);

    it('[WO5] destinations are listed by age, each once for a user, and no more than so many', async () => {
      const { destinations } = stage.store;
      const [late, early] = [record('a', { createdAtMs: 1_790_000_000_001 }), record('b')];
      expect(await destinations.add(late, 3)).toBe('added');
      expect(await destinations.add(early, 3)).toBe('added');
      expect(await destinations.add(record('c', { destination: 'DE89 a' }), 3)).toBe('taken');
      expect(await destinations.add(record('d'), 3)).toBe('added');
      expect(await destinations.add(record('e'), 3)).toBe('too_many');
      const bobs = record('f', { userId: 'usr_bob', destination: 'DE89 a' });
      expect(await destinations.add(bobs, 3)).toBe('added');
      expect(await destinations.of('usr_ada')).toEqual([early, record('d'), late]);
      expect(await destinations.of('usr_bob')).toEqual([bobs]);
      if (!(await stage.reopen())) return;
      expect(await stage.store.destinations.of('usr_ada')).toEqual([early, record('d'), late]);
    });

    it('[WO5] a destination is removed by its user alone, and may come again', async () => {
      const { destinations } = stage.store;
      await destinations.add(record('a'), 3);
      expect(await destinations.remove('usr_bob', 'dst_a')).toBeNull();
      expect(await destinations.remove('usr_ada', 'dst_b')).toBeNull();
      expect(await destinations.remove('usr_ada', 'dst_a')).toEqual(record('a'));
      expect(await destinations.remove('usr_ada', 'dst_a')).toBeNull();
      const again = record('g', { destination: 'DE89 a', usableFromMs: 1_790_099_999_999 });
      expect(await destinations.add(again, 3)).toBe('added');
      expect(await destinations.of('usr_ada')).toEqual([again]);
    });
  });
}
