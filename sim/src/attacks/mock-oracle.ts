// RS5: a stranger settles markets in which others hold something, the way that suits the stranger.
import { Arena, accountId } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { place, work } from './trading.ts';

/** Each market has a bystander who holds the other outcome, or only rests an order there. */
function settleAll(markets: number, stake: number, victimHolds: boolean): Report {
  const arena = new Arena();
  arena.open('a', 1_000_000);
  arena.open('bystander', 1_000_000);
  const before = arena.wealth('a');
  let putIn = 0n;
  let settled = 0;
  for (let index = 0; index < markets; index += 1) {
    const marketId = arena.market({ deposit: 1_000 });
    if (victimHolds) work(arena, 'bystander', { marketId, outcome: 1, side: 'buy', lots: stake });
    else place(arena, 'bystander', { marketId, outcome: 1, side: 'buy', lots: stake, price: 100 });
    const free = arena.wealth('a');
    work(arena, 'a', { marketId, outcome: 0, side: 'buy', lots: stake });
    putIn += free - arena.wealth('a');
    const winningOutcomeId = arena.get(marketId).outcomes[0]!.id;
    arena.send('a', { type: 'mock_oracle', accountId: accountId('a'), marketId, winningOutcomeId });
    if (arena.get(marketId).status === 'resolved') settled += 1;
  }
  const gain = arena.wealth('a') - before;
  return arena.report({
    putIn,
    tookOut: gain + putIn,
    measure: { settled, gain },
    unit: 'markets',
    value: BigInt(settled),
    bound: 0n,
  });
}

const knobs = { markets: knob(8, 1, 11), stake: knob(150_000, 100, 1_000_000) };

export const strangerSettles: Attack = attack({
  rule: 'RS5',
  name: 'a stranger settles others’ shares',
  knobs,
  run: ({ markets, stake }) => settleAll(markets, stake, true),
});

export const strangerSettlesOrders: Attack = attack({
  rule: 'RS5',
  name: 'a stranger settles under others’ orders',
  knobs,
  run: ({ markets, stake }) => settleAll(markets, stake, false),
});
