// A preview says what the order then does, and what the market would show.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { action, commandOf, open, perform, setting } from '../../test/trading.ts';
import { makeWorld, OPERATOR, orderOf, Placed, type World } from '../../test/world.ts';
import { shownPrices } from '../market/mid.ts';
import { type Market, outcomeIndex } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';
import { type OrderPreview, previewOrder } from './preview.ts';

function preview(world: World, market: Market, text: string, changes = {}): OrderPreview {
  const order = { ...orderOf('t', market, text), ...changes };
  const found = previewOrder(world.state, OPERATOR, order);
  if ('code' in found) throw new Error(found.code);
  return found;
}

describe('[RT9] the price afterwards', () => {
  test('is what the market then shows, whatever the order, with a pool and without', () => {
    const placing = action.map((one) => ({ ...one, kind: 'place' as const }));
    fc.assert(
      fc.property(
        setting,
        fc.array(action, { maxLength: 25, size: 'max' }),
        placing,
        (chosen, actions, last) => {
          const { world, market } = open(chosen);
          for (const one of actions) perform(world, market, one);
          const command = commandOf(market, last);
          const outcome = outcomeIndex(market, command.outcomeId);
          const before = shownPrices(market)[outcome];
          const said = previewOrder(world.state, OPERATOR, command);
          const placed = new Placed(world.run(command));
          if ('code' in said) {
            expect(placed.refusal).toBe(said.code);
            return;
          }
          const { order } = placed;
          expect(said).toMatchObject({
            filledLots: order.filledLots,
            cost: order.filledCost,
            fees: order.feesPaid,
            rejectReason: order.rejectReason,
            cancelReason: order.cancelReason,
            priceBefore: before,
            priceAfter: shownPrices(market)[outcome],
          });
        },
      ),
      { numRuns: 150 },
    );
  });

  test('without a pool counts the own orders that are taken out of the way', () => {
    const world = makeWorld();
    world.open('t u');
    const market = world.market();
    world.mint('t', market, 100);
    world.mint('u', market, 100);
    world.place('u', market, 'buy 10 yes @ 0.2');
    world.place('t', market, 'sell 10 yes @ 0.6');
    // Nothing fills: the own ask goes, and with it the price of the book.
    const said = preview(world, market, 'buy 10 yes @ 0.9', { timeInForce: 'ioc' });
    expect(said).toMatchObject({ filledLots: 0, priceBefore: 400_000n, priceAfter: 500_000n });
    world.place('u', market, 'sell 10 yes @ 0.7');
    world.place('u', market, 'buy 10 yes @ 0.3');
    expect(preview(world, market, 'buy 20 yes @ 0.9', { timeInForce: 'ioc' })).toMatchObject({
      filledLots: 1_000,
      priceAfter: 700_000n,
    });
  });

  test('without a pool is that of the book as it is left, else of the last trade', () => {
    const world = makeWorld();
    world.open('t u');
    const market = world.market();
    world.mint('u', market, 100);
    expect(preview(world, market, 'buy 1 yes @ 0.4').priceAfter).toBe(500_000n);
    world.place('u', market, 'sell 10 yes @ 0.6');
    world.place('u', market, 'sell 10 yes @ 0.8');
    expect(preview(world, market, 'buy 1 yes @ 0.4').priceAfter).toBe(500_000n);
    expect(preview(world, market, 'buy 10 yes @ 0.7').priceAfter).toBe(600_000n);
    // A better bid than those that rest is the one that counts.
    world.place('u', market, 'buy 10 yes @ 0.1');
    expect(preview(world, market, 'buy 1 yes @ 0.4').priceAfter).toBe(500_000n);
    expect(preview(world, market, 'buy 1 yes @ 0.05').priceAfter).toBe(350_000n);
    // Ten at 0.6, and one rests as the best bid below 0.8.
    expect(preview(world, market, 'buy 11 yes @ 0.7').priceAfter).toBe(750_000n);
  });

  test('without a pool after a trade in the second outcome goes by the first one’s last price', () => {
    const world = makeWorld();
    world.open('t u');
    const market = world.market();
    world.mint('u', market, 100);
    world.place('u', market, 'sell 1 yes @ 0.4');
    world.place('t', market, 'buy 1 yes @ 0.4');
    world.place('u', market, 'sell 1 no @ 0.7');
    const { priceAfter } = preview(world, market, 'buy 1 no @ 0.7');
    world.place('t', market, 'buy 1 no @ 0.7');
    expect(priceAfter).toBe(shownPrices(market)[1]);
  });

  test('[PB3] says that the band would cut the order short', () => {
    const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
    world.open('t');
    const market = world.market({ deposit: 1000 });
    const said = preview(world, market, 'buy 100000 yes @ 0.9');
    expect(said).toMatchObject({ cancelReason: 'price_band', restingLots: 0 });
    expect(Number(said.priceAfter)).toBeGreaterThan(699_900);
    expect(Number(said.priceAfter)).toBeLessThanOrEqual(700_000);
  });
});
