// SF1: fills at a mid that the one who asks for them has moved with a second account.
import { Arena, MINUTE } from './arena.ts';
import { type Attack, attack, knob, type Report, type Values } from './attack.ts';
import { capsOf, DAY_MAX } from './caps.ts';
import { mint, onTick, place, push } from './trading.ts';

type Names = 'lots' | 'to' | 'deposit' | 'ageMinutes' | 'waitMs';

/** Buys at the mid, moves it, sells at the mid, moves it back: the mover loses fees, the house the rest. */
function loop({ lots, to, deposit, ageMinutes, waitMs }: Values<Names>): Report {
  const arena = new Arena();
  const marketId = arena.market({ deposit });
  arena.advance(ageMinutes * MINUTE);
  arena.open('a', 1_000_000);
  arena.open('mover', 1_000_000);
  const before = arena.wealth('a', 'mover');
  const bought = place(arena, 'a', { marketId, outcome: 0, side: 'buy', lots, execution: 'mid' });
  const wish = { marketId, outcome: 0, side: 'buy', lots: 100_000_000, price: onTick(to) } as const;
  const moved = place(arena, 'mover', { ...wish, timeInForce: 'ioc' });
  arena.advance(waitMs);
  const size = bought?.filledLots ?? 0;
  place(arena, 'a', { marketId, outcome: 0, side: 'sell', lots: size, execution: 'mid' });
  place(arena, 'mover', { marketId, outcome: 0, side: 'sell', lots: moved?.filledLots ?? 0 });
  const left = arena.lots('a', marketId, 0);
  const gain = arena.wealth('a', 'mover') - before;
  return arena.report({
    putIn: bought?.filledCost ?? 0n,
    tookOut: (bought?.filledCost ?? 0n) + gain,
    measure: { gain, left },
    unit: 'usdt',
    value: gain,
    bound: 0n,
  });
}

const knobs = {
  lots: knob(200_000, 100, 1_000_000),
  to: knob(8_000, 5_010, 9_900),
  deposit: knob(1_000, 10, 100_000),
  /** Before its first mark a market has only its mid of the moment. */
  ageMinutes: knob(2, 0, 10),
};

export const movedMid: Attack = attack<Names>({
  rule: 'SF1',
  name: 'a mid moved and moved back at once',
  knobs: { ...knobs, waitMs: knob(0, 0, MINUTE - 1) },
  run: loop,
});

/**
 * Who leaves the mid displaced over a minute mark has moved that of the mark as well, and the house pays. What he wins
 * is bounded by the caps that every self_serve key carries: he buys for no more than a day allows.
 */
function patientLoop({ to, deposit, ageMinutes, waitMs }: Values<PatientNames>): Report {
  const arena = new Arena();
  const marketId = arena.market({ deposit });
  arena.advance(ageMinutes * MINUTE);
  arena.open('a', 1_000_000);
  arena.open('mover', 1_000_000);
  const before = arena.wealth('a', 'mover');
  const common = { marketId, outcome: 0, execution: 'mid', caps: capsOf('a') } as const;
  for (let order = 0; order < ORDERS; order += 1) {
    place(arena, 'a', { ...common, side: 'buy', lots: PIECE_LOTS });
  }
  const wish = { marketId, outcome: 0, side: 'buy', lots: 100_000_000, price: onTick(to) } as const;
  const moved = place(arena, 'mover', { ...wish, timeInForce: 'ioc' });
  arena.advance(waitMs);
  for (let order = 0; order < 2 * ORDERS; order += 1) {
    const lots = Math.min(PIECE_LOTS / 2, arena.lots('a', marketId, 0));
    place(arena, 'a', { ...common, side: 'sell', lots });
  }
  place(arena, 'mover', { marketId, outcome: 0, side: 'sell', lots: moved?.filledLots ?? 0 });
  const gain = arena.wealth('a', 'mover') - before;
  const left = arena.lots('a', marketId, 0);
  return arena.report({
    putIn: DAY_MAX,
    tookOut: DAY_MAX + gain,
    measure: { gain, left },
    unit: 'usdt',
    value: gain,
    bound: DAY_MAX,
  });
}

type PatientNames = Exclude<Names, 'lots'>;

/** More than a day of them is refused. */
const ORDERS = 30;
/** Below 10 USDT at even odds. */
const PIECE_LOTS = 1_900;

const { lots: _lots, ...patientKnobs } = knobs;

export const patientMid: Attack = attack<PatientNames>({
  rule: 'SF1',
  name: 'a mid held displaced over a minute mark, by a self_serve key',
  knobs: { ...patientKnobs, waitMs: knob(MINUTE, MINUTE, 5 * MINUTE) },
  run: patientLoop,
});

/** Where a share costs little, a day of buying is many shares: the mover then shows a high price, at which the key sells. */
export const lowPatientMid: Attack = attack({
  rule: 'RK8',
  name: 'mid fills bought low and sold high by a self_serve key',
  knobs: {
    from: knob(100, 20, 4_000),
    to: knob(9_500, 5_010, 9_900),
    deposit: knob(1_000, 10, 100_000),
    orders: knob(50, 1, 100),
    lots: knob(80_000, 100, 1_000_000),
  },
  run: ({ from, to, deposit, orders, lots }) => {
    const arena = new Arena();
    const marketId = arena.market({ deposit });
    arena.open('a', 1_000_000);
    arena.open('mover', 10_000_000);
    mint(arena, 'mover', marketId, deposit * 1_000);
    push(arena, 'mover', marketId, 0, from);
    arena.advance(2 * MINUTE);
    const before = arena.wealth('a', 'mover');
    const common = { marketId, outcome: 0, execution: 'mid', caps: capsOf('a') } as const;
    for (let order = 0; order < orders; order += 1)
      place(arena, 'a', { ...common, side: 'buy', lots });
    const bought = arena.lots('a', marketId, 0);
    push(arena, 'mover', marketId, 0, to);
    arena.advance(2 * MINUTE);
    const piece = Math.floor(10_000_000 / to);
    for (let sold = 0; sold < SELLS && arena.lots('a', marketId, 0) > 0; sold += 1) {
      const left = Math.min(piece, arena.lots('a', marketId, 0));
      place(arena, 'a', { ...common, side: 'sell', lots: left });
    }
    push(arena, 'mover', marketId, 0, from);
    // What is left could be sold on other days.
    const gain = arena.wealth('a', 'mover') - before;
    return arena.report({
      putIn: DAY_MAX,
      tookOut: DAY_MAX + gain,
      measure: { gain, bought, left: arena.lots('a', marketId, 0) },
      unit: 'usdt',
      value: gain,
      bound: DAY_MAX,
    });
  },
});

const SELLS = 400;
