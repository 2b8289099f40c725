// RK2: positions beyond the operator's limit, made by minting, by subaccounts or by orders that already rest.
import { DEFAULT_PARAMETERS, type MarketId, type Parameters } from '@sibyl/engine';
import { Arena } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { mint, place } from './trading.ts';

/** A thousand shares. */
const LIMIT_LOTS = 100_000;

const limited: Parameters = {
  ...DEFAULT_PARAMETERS,
  risk: { ...DEFAULT_PARAMETERS.risk, positionLotsMax: LIMIT_LOTS },
};

function scene(): { readonly arena: Arena; readonly marketId: MarketId } {
  const arena = new Arena({ parameters: limited });
  const marketId = arena.market({ deposit: 10_000 });
  arena.open('a', 1_000_000);
  return { arena, marketId };
}

/** Sellers are many, so that none of them meets the limit. */
function sellOff(arena: Arena, name: string, marketId: MarketId): void {
  arena.open(name, MATE_LOTS / 100 + 100);
  mint(arena, name, marketId, MATE_LOTS);
  const wish = { marketId, outcome: 0, side: 'sell', lots: MATE_LOTS, price: 4_890 } as const;
  place(arena, name, { ...wish, timeInForce: 'ioc' });
}

const MATE_LOTS = 90_000;

function held(arena: Arena, names: readonly string[], marketId: MarketId): Report {
  let lots = 0;
  for (const name of names) lots += arena.lots(name, marketId, 0);
  return arena.report({
    putIn: 0n,
    tookOut: 0n,
    measure: { lots },
    unit: 'lots',
    value: BigInt(lots),
    bound: BigInt(LIMIT_LOTS),
  });
}

/** A set has a share of each outcome: selling the others leaves a position that no order was checked for. */
export const mintedPosition: Attack = attack({
  rule: 'RK2',
  name: 'a position made by minting',
  knobs: { lots: knob(1_000_000, 1_000, 10_000_000), times: knob(1, 1, 20) },
  run: ({ lots, times }) => {
    const { arena, marketId } = scene();
    for (let index = 0; index < times; index += 1) {
      mint(arena, 'a', marketId, lots);
      place(arena, 'a', { marketId, outcome: 1, side: 'sell', lots });
    }
    return held(arena, ['a'], marketId);
  },
});

export const familyPosition: Attack = attack({
  rule: 'RK2',
  name: 'a position spread over subaccounts',
  knobs: { lots: knob(100_000, 1_000, 100_000), subaccounts: knob(5, 0, 20) },
  run: ({ lots, subaccounts }) => {
    const { arena, marketId } = scene();
    const names = ['a'];
    for (let index = 1; index <= subaccounts; index += 1) {
      names.push(`sub_a${index}`);
      arena.open(`sub_a${index}`, 100_000, 'a');
    }
    for (const name of names) place(arena, name, { marketId, outcome: 0, side: 'buy', lots });
    return held(arena, names, marketId);
  },
});

/** Orders below the price are checked one by one while nothing is held yet, and all fill later. */
export const restingPosition: Attack = attack({
  rule: 'RK2',
  name: 'a position of orders that rested',
  knobs: { orders: knob(10, 1, 100), lots: knob(100_000, 1_000, 100_000) },
  run: ({ orders, lots }) => {
    const { arena, marketId } = scene();
    for (let index = 0; index < orders; index += 1) {
      place(arena, 'a', { marketId, outcome: 0, side: 'buy', lots, price: 4_900 });
    }
    const mates = Math.ceil((orders * lots) / MATE_LOTS) + 1;
    for (let index = 0; index < mates; index += 1) sellOff(arena, `mate${index}`, marketId);
    return held(arena, ['a'], marketId);
  },
});
