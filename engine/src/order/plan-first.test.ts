// Planned first, applied only if everything passes: an order refused after its walk leaves nothing behind.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeWorld } from '../../test/world.ts';
import { stateHash } from '../hash.ts';

describe('plan before application', () => {
  it('[RT3] an order that walks pool, book and legs and then lacks a µ changes nothing', () => {
    const scene = fc.record({
      outcomes: fc.constantFrom(2, 3, 5),
      bids: fc.array(fc.tuple(fc.nat(4), fc.integer({ min: 5, max: 60 })), { maxLength: 6 }),
      shares: fc.integer({ min: 50, max: 400 }),
    });
    fc.assert(
      fc.property(scene, ({ outcomes, bids, shares }) => {
        const world = makeWorld();
        world.open('anna bert');
        world.open('poor', 0);
        const market = world.market({ deposit: 200, outcomes, creator: 'bert' });
        const names = market.outcomes.map((outcome) => outcome.id);
        for (const [index, cents] of bids) {
          world.place('anna', market, `buy 20 ${names[index % outcomes]} @ ${cents / 100}`);
        }
        const twin = world.place('anna', market, `buy ${shares} ${names[0]}`, {
          stpMode: 'cancel_incoming',
        });
        expect(twin.refusal).toBeNull();
        const before = stateHash(world.state);
        const { seq } = world.state;
        const refused = world.place('poor', market, `buy ${shares} ${names[1]}`);
        expect(refused.refusal).toBe('BALANCE_INSUFFICIENT');
        expect(refused.outcome.events).toEqual([]);
        world.state.seq = seq;
        expect(stateHash(world.state)).toBe(before);
      }),
      { numRuns: 40 },
    );
  });
});
