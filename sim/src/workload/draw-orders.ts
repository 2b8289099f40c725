// Orders at random, leaning to the edges: ticks, single lots, the price of a resting order, whole positions.
import type { CommandOf } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import { drawGrant } from './draw-revenue.ts';
import type { KnownAccount, KnownMarket, KnownOrder, View } from './view.ts';

export type PlaceBody = Omit<CommandOf<'place_order'>, 'seq' | 'atMs' | 'actor' | 'key'>;
type MintedBody = Omit<CommandOf<'sell_minted'>, 'seq' | 'atMs' | 'actor' | 'key'>;
export type AmendBody = Omit<CommandOf<'amend_order'>, 'seq' | 'atMs' | 'actor' | 'key'>;
type HeartbeatBody = Omit<CommandOf<'heartbeat'>, 'seq' | 'atMs' | 'actor' | 'key'>;
type TimeInForce = PlaceBody['timeInForce'];

export function drawOrder(
  random: Prng,
  view: View,
  account: KnownAccount,
  market: KnownMarket,
  nowMs: number,
): PlaceBody {
  const outcome = random.between(0, market.outcomes.length - 1);
  const held = view.freeLots(account.id, market.id, outcome);
  const side = held > 0 && random.chance(1, 2) ? 'sell' : random.chance(1, 12) ? 'sell' : 'buy';
  const orderType = random.chance(1, 4) ? 'market' : 'limit';
  const timeInForce = drawTime(random, orderType);
  const neverRests = orderType === 'market' || timeInForce === 'ioc' || timeInForce === 'fok';
  const facing = [...view.orders.values()].filter((order) => order.marketId === market.id);
  const met = facing.length > 0 && random.chance(1, 4) ? random.pick(facing) : null;
  const price = orderType === 'market' ? null : drawPrice(random, market, outcome, side, met);
  const least = random.chance(1, 25)
    ? 1
    : leastLots(market, price ?? market.prices[outcome] ?? 5000);
  const builderCap = random.pick([0, 25, 100]);
  return {
    type: 'place_order',
    accountId: account.id,
    marketId: market.id,
    outcomeId: market.outcomes[outcome] ?? '',
    side,
    orderType,
    price,
    lots: Math.max(
      // Market orders large enough to walk to their band.
      orderType === 'market' && random.chance(1, 4)
        ? random.between(5_000, 60_000)
        : drawLots(random, market, side, held, met),
      least,
    ),
    timeInForce,
    expiresAtMs:
      timeInForce === 'gtd' ? nowMs + random.pick([1, 1000, 30_000, 60_000, 600_000]) : null,
    postOnly: !neverRests && random.chance(1, 6),
    reduceOnly:
      neverRests && random.chance(1, 8) && (side === 'sell' || market.outcomes.length === 2),
    stpMode: random.chance(1, 4) ? 'cancel_incoming' : 'cancel_resting',
    maxCost:
      side === 'buy' && neverRests && random.chance(1, 4)
        ? BigInt(random.between(1, 200_000_000))
        : null,
    validUntilMs: random.chance(1, 20) ? nowMs + random.between(-2000, 2000) : null,
    clientOrderId: random.chance(1, 6) ? `c${random.between(1, 400)}` : null,
    builder: random.chance(1, 10)
      ? {
          appId: `app_${random.between(1, 3)}`,
          feeBps: random.between(0, builderCap),
          capBps: builderCap,
          ...(random.chance(1, 3) ? { isOwn: random.chance(1, 2) } : {}),
        }
      : null,
    caps: drawCaps(random, account),
    grant: drawGrant(random, view, account.id),
    execution: 'hybrid',
    acceptPrice: random.chance(1, 3),
  };
}

/** A sell that is whole or not at all may be out of sets minted for it; now and then another order is asked for so. */
export function asMinted(order: PlaceBody): PlaceBody | MintedBody {
  const { side, timeInForce, lots, accountId } = order;
  const isFit = side === 'sell' && timeInForce === 'fok';
  if (lots % (isFit ? 2 : 97) !== 0) return order;
  return { type: 'sell_minted', accountId, order };
}

/** What the market's minimum size and smallest bet ask for. */
function leastLots(market: KnownMarket, price: number): number {
  const { minLots, minBet } = market.template;
  return Math.max(minLots, Number(minBet / BigInt(price)) + (minBet > 0n ? 1 : 0));
}

function drawTime(random: Prng, orderType: 'market' | 'limit'): TimeInForce {
  if (orderType === 'market') return random.chance(1, 6) ? 'fok' : 'ioc';
  return random.weighted([
    [12, 'gtc'],
    [3, 'gtd'],
    [2, 'ioc'],
    [1, 'fok'],
  ] as const);
}

/** Keys of one account, of a family and of nobody in particular, in tiers that families share. */
export function drawCaps(
  random: Prng,
  account: Pick<KnownAccount, 'id' | 'parentId'>,
): PlaceBody['caps'] {
  if (!random.chance(1, 5)) return null;
  const family = account.parentId ?? account.id;
  return {
    tier: random.pick(['self_serve', 'basic']),
    keyId: random.pick([`key_${account.id}`, `key_${family}`, 'key_shared']),
    orderMax: random.pick([null, null, 10_000_000n, 1_000_000_000n]),
    dayMax: random.pick([null, 100_000_000n, 1_000_000_000n, 5_000_000_000n]),
  };
}

function drawPrice(
  random: Prng,
  market: KnownMarket,
  outcome: number,
  side: 'buy' | 'sell',
  met: KnownOrder | null,
): number {
  const tick = market.tickPips;
  const wanted = random.weighted([
    [10, 'near'],
    [12, 'behind'],
    [met === null ? 0 : 8, 'met'],
    [2, 'edge'],
    [2, 'anywhere'],
  ] as const);
  const reference = market.prices[outcome] ?? 5000;
  const behind = side === 'buy' ? -1 : 1;
  let price = reference;
  if (wanted === 'near') price += random.between(-4, 4) * tick;
  else if (wanted === 'behind') price += behind * random.between(1, random.pick([3, 40])) * tick;
  else if (wanted === 'edge')
    price = random.pick([tick, 2 * tick, 10_000 - tick, 10_000 - 2 * tick]);
  else if (wanted === 'anywhere') price = random.between(1, 9999);
  else if (met !== null) {
    const same = market.outcomes[outcome] === met.outcomeId || market.outcomes.length > 2;
    price = same ? met.price : 10_000 - met.price;
    price += random.pick([0, 0, 0, tick, -tick]);
  }
  const ticks = Math.round(price / tick);
  return Math.max(1, Math.min(10_000 / tick - 1, ticks)) * tick;
}

function drawLots(
  random: Prng,
  market: KnownMarket,
  side: 'buy' | 'sell',
  held: number,
  met: KnownOrder | null,
): number {
  if (side === 'sell' && held > 0 && random.chance(3, 4)) {
    return random.chance(1, 3) ? held : random.between(1, held);
  }
  if (met !== null && random.chance(1, 3)) {
    return Math.max(1, met.lots - met.filledLots + random.pick([0, 0, -1, 1]));
  }
  const least = market.template.minLots;
  return random.weighted([
    [1, 1],
    [2, least],
    [4, least + random.between(0, 99)],
    [8, least + random.between(0, 3000)],
    [3, least + random.between(0, 20_000)],
    [2, random.between(1, 400_000)],
  ]);
}

/** An amendment of an order of the view: equal, smaller, larger, another price. */
export function drawAmendment(random: Prng, view: View, order: KnownOrder): AmendBody {
  const market = view.markets.get(order.marketId);
  const tick = market?.tickPips ?? 10;
  const kind = random.weighted([
    [3, 'smaller'],
    [1, 'equal'],
    [3, 'larger'],
    [4, 'price'],
    [2, 'both'],
  ] as const);
  const left = order.lots - order.filledLots;
  let lots: number | null = null;
  let price: number | null = null;
  if (kind === 'smaller') lots = order.filledLots + random.between(1, Math.max(1, left));
  if (kind === 'equal') lots = order.lots;
  if (kind === 'larger' || kind === 'both') lots = order.lots + random.between(1, 500);
  if (kind === 'price' || kind === 'both') {
    const moved = order.price + random.between(-6, 6) * tick;
    price = Math.max(tick, Math.min(10_000 - tick, moved));
  }
  if (kind === 'equal' && random.chance(1, 2)) price = order.price;
  return {
    type: 'amend_order',
    accountId: order.accountId,
    orderId: order.id,
    price,
    lots,
    acceptPrice: random.chance(1, 3),
    caps: drawCaps(random, {
      id: order.accountId,
      parentId: view.accounts.find((each) => each.id === order.accountId)?.parentId ?? null,
    }),
    grant: drawGrant(random, view, order.accountId),
  };
}

export function drawHeartbeat(random: Prng, view: View): HeartbeatBody {
  const markets = view.activeMarkets();
  return {
    type: 'heartbeat',
    accountId: random.pick(view.accounts).id,
    timeoutMs: random.pick([0, 5000, 30_000, 300_000]),
    marketId: markets.length > 0 && random.chance(1, 2) ? random.pick(markets).id : null,
  };
}
