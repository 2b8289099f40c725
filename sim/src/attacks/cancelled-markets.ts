// VD8: whatever colluders, a creator among them, can think of before operators cancel a market with honest holders.
import type { MarketId } from '@sibyl/engine';
import { Prng } from '../prng.ts';
import { Arena, DAY, HOUR, USDT } from './arena.ts';
import { type Attack, attack, knob, type Report, type Values } from './attack.ts';
import { cancelMarket, halt, lossCounted, windowNamed, worth } from './cancelling.ts';
import { cancelAll, merge, mint, onTick, place, push } from './trading.ts';

const HONEST = ['honest1', 'honest2', 'honest3', 'honest4', 'honest5', 'honest6'] as const;
const RICH = 1_000_000;
const EVEN = 5_000;
const DEPOSIT = 500;
const DEPOSITED = BigInt(DEPOSIT) * USDT;
/** News any later cannot be named away: the shortest window is a day, of which the middle half counts. */
const LAST_NEWS_MS = 2 * DAY;

type Names =
  | 'seed'
  | 'days'
  | 'visitHours'
  | 'acts'
  | 'lotsMax'
  | 'honestLots'
  | 'newsDay'
  | 'news'
  | 'creates'
  | 'target'
  | 'bias';

interface Scene {
  readonly arena: Arena;
  readonly marketId: MarketId;
  readonly gang: readonly string[];
  readonly prng: Prng;
  readonly values: Values<Names>;
  readonly stopMs: number;
}

function open(values: Values<Names>): Scene {
  const arena = new Arena({ lane: 'live' });
  for (const name of [...HONEST, 'friend', 'mate']) arena.open(name, RICH);
  const marketId = arena.market({ deposit: DEPOSIT });
  const { id } = arena.get(marketId).creator;
  const gang = values.creates === 1 ? ['friend', 'mate', id] : ['friend', 'mate'];
  const stopMs = arena.nowMs + values.days * DAY;
  return { arena, marketId, gang, prng: new Prng(values.seed), values, stopMs };
}

/** The price that the news supports: one half, and from some day on another. */
function fairAt({ arena, values, stopMs }: Scene): number {
  const newsMs = stopMs - Math.max(LAST_NEWS_MS, values.newsDay * DAY);
  return arena.nowMs >= newsMs ? onTick(values.news) : EVEN;
}

/**
 * Honest traders come one by one, at least daily, bring the price to the fair one, and some buy more for themselves. In
 * between the colluders do as they like, often to hold the price where they want it. Gives what the news alone made of
 * what the colluders held when it came: that is luck.
 */
function live(at: Scene): bigint {
  const { arena, marketId, prng, values, stopMs } = at;
  const everyMs = values.visitHours * HOUR;
  let visits = 0;
  let acts = values.acts;
  let luck = 0n;
  while (arena.nowMs + everyMs < stopMs) {
    visit(at, HONEST[visits % HONEST.length]!);
    visits += 1;
    while (acts > 0 && prng.chance(acts, acts + values.days)) {
      act(at);
      acts -= 1;
    }
    if (prng.between(1, 100) <= values.bias)
      push(arena, 'mate', marketId, 0, onTick(values.target));
    const fair = fairAt(at);
    arena.advance(everyMs);
    if (fairAt(at) !== fair) luck += worthAt(at, fairAt(at)) - worthAt(at, fair);
  }
  arena.advance(Math.max(0, stopMs - arena.nowMs));
  return luck;
}

/** What the colluders have, and a pool of theirs, at a price of the first outcome. */
function worthAt(at: Scene, pips: number): bigint {
  const { arena, marketId, gang, values } = at;
  const payout = [pips, 10_000 - pips];
  let sum = values.creates === 1 ? poolWorth(at, payout) : 0n;
  for (const name of gang) sum += arena.wealth(name) + worth(arena, marketId, name, payout);
  return sum;
}

function visit(at: Scene, name: string): void {
  const { arena, marketId, prng, values } = at;
  const fair = fairAt(at);
  takeBetter(at, name, fair);
  if (arena.price(marketId, 0) < fair - 20) push(arena, name, marketId, 0, fair);
  else if (arena.price(marketId, 0) > fair + 20) push(arena, name, marketId, 1, 10_000 - fair);
  if (values.honestLots === 0 || !prng.chance(1, 4)) return;
  const outcome = prng.between(0, 1);
  const price = outcome === 0 ? fair + 10 : 10_010 - fair;
  const lots = values.honestLots;
  place(arena, name, { marketId, outcome, side: 'buy', lots, price, timeInForce: 'ioc' });
}

/** Takes what is offered below the fair price, either outcome. */
function takeBetter({ arena, marketId }: Scene, name: string, fair: number): void {
  const lots = 10_000;
  const wish = { marketId, side: 'buy', lots, timeInForce: 'ioc' } as const;
  place(arena, name, { ...wish, outcome: 0, price: onTick(fair - 20) });
  place(arena, name, { ...wish, outcome: 1, price: onTick(9_980 - fair) });
}

function act(at: Scene): void {
  const { arena, marketId, prng, values } = at;
  const name = prng.pick(['friend', 'mate']);
  const outcome = prng.between(0, 1);
  const lots = prng.between(1, values.lotsMax);
  const held = arena.lots(name, marketId, outcome);
  const fair = outcome === 0 ? fairAt(at) : 10_000 - fairAt(at);
  const kind = prng.pick(['push', 'push', 'ask', 'ask', 'bid', 'mint', 'merge', 'sell', 'cancel']);
  const sell = { marketId, outcome, side: 'sell', lots: Math.min(held, lots) } as const;
  if (kind === 'push') push(arena, name, marketId, outcome, onTick(prng.between(100, 9_900)));
  else if (kind === 'mint') mint(arena, name, marketId, lots);
  else if (kind === 'merge')
    merge(arena, name, marketId, Math.min(held, arena.lots(name, marketId, 1 - outcome)));
  else if (kind === 'cancel') cancelAll(arena, name, marketId);
  else if (kind === 'sell') place(arena, name, { ...sell, timeInForce: 'ioc' });
  // What honest traders buy is offered at what they think fair.
  else if (kind === 'ask') place(arena, name, { ...sell, price: onTick(fair + 10) });
  else place(arena, name, { marketId, outcome, side: 'buy', lots, price: onTick(fair - 10) });
}

/**
 * What the cancellation gives the colluders beyond what they had, and beyond what their shares and their pool are worth
 * by the news, luck apart. Default and last day may differ by so many pips before a window has to be named: a seller at
 * the newer price gains that much of each share that honest traders hold. The bound leaves it to them.
 */
function gainOf(at: Scene, luck: bigint): Report {
  const { arena, marketId, gang, values } = at;
  const spent = values.creates === 1 ? DEPOSITED : 0n;
  const before = BigInt(RICH) * 2n * USDT + spent + luck;
  for (const name of [...gang, ...HONEST]) cancelAll(arena, name, marketId);
  halt(arena, marketId);
  const fairPips = fairAt(at);
  const settled = worthAt(at, fairPips);
  const honestLots = lotsOf(at, HONEST);
  const window = windowNamed(arena, marketId, { families: HONEST.length, fairPips });
  cancelMarket(arena, marketId, { window, cause: values.creates === 1 ? 'question' : 'event' });
  const cancelled = arena.wealth(...gang);
  const overBefore = cancelled - before;
  const overFair = cancelled - settled;
  const gain = overBefore < overFair ? overBefore : overFair;
  const loss = settled < before ? before - settled : 0n;
  return arena.report({
    putIn: loss,
    tookOut: gain,
    measure: { gain, loss, honestShares: honestLots / 100, named: window === null ? 0 : 1 },
    unit: 'usdt',
    value: gain - lossCounted(loss),
    bound: DEPOSITED / 50n + unflagged(at, honestLots),
  });
}

function lotsOf({ arena, marketId }: Scene, names: readonly string[]): number {
  return names.reduce(
    (sum, name) => sum + arena.lots(name, marketId, 0) + arena.lots(name, marketId, 1),
    0,
  );
}

function unflagged({ arena }: Scene, lots: number): bigint {
  return BigInt(lots) * BigInt(arena.state.parameters.fairValue.movedPips);
}

/** The pool's inventory at a price; the names of its accounts are the ledger's. */
function poolWorth({ arena, marketId }: Scene, pips: readonly number[]): bigint {
  let sum = 0n;
  for (const { name, balance } of arena.state.ledger.accounts()) {
    if (!name.startsWith(`amm:${marketId}:`)) continue;
    sum += (balance * BigInt(pips[Number(name.slice(name.lastIndexOf('.') + 1))]!)) / 10_000n;
  }
  return sum;
}

export const cancelledMarkets: Attack = attack<Names>({
  rule: 'VD8',
  name: 'whatever colluders do before a cancellation',
  knobs: {
    seed: knob(1, 1, 1_000_000_000),
    days: knob(28, 6, 40),
    visitHours: knob(24, 4, 24),
    acts: knob(20, 0, 80),
    lotsMax: knob(100_000, 100, 500_000),
    honestLots: knob(2_000, 0, 5_000),
    newsDay: knob(3, 0, 12),
    news: knob(9_000, 500, 9_500),
    creates: knob(1, 0, 1),
    target: knob(7_000, 500, 9_500),
    bias: knob(0, 0, 100),
  },
  run: (values) => {
    const at = open(values);
    return gainOf(at, live(at));
  },
});
