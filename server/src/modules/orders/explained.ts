// Refused orders with what helps to send the next one: values that the market takes, and what there is too little of.
import type { OrderInput, Order as WireOrder } from '@sibyl/contract';
import { asMarketId, type Market } from '@sibyl/engine';
import { MAX_LOTS, PIPS_ONE, parseLots } from '@sibyl/money';
import { ApiError, type RequestContext } from '../../handling/handler.ts';
import { lotsText, nearestLots, nearestPips, pipsText } from '../../wire/amounts.ts';

/** What was asked for, of a new order or of one that is to be changed. */
export interface Asked {
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: OrderInput['side'];
  /** Null for a market order. */
  readonly price: string | null;
  readonly size: string;
  readonly reduceOnly: boolean;
  /** Of a sell whose shares are minted for it: what it may lack is money. */
  readonly isMinted: boolean;
  readonly filledLots: number;
}

export function askedOf(input: OrderInput): Asked {
  return {
    marketId: input.market_id,
    outcomeId: input.outcome_id,
    side: input.side,
    price: input.order_type === 'limit' ? (input.price ?? null) : null,
    size: input.size,
    reduceOnly: input.reduce_only ?? false,
    isMinted: input.mint ?? false,
    filledLots: 0,
  };
}

export function askedOfChange(
  order: WireOrder,
  change: { readonly price?: string; readonly size?: string },
): Asked {
  const filled = parseLots(order.filled_size);
  return {
    marketId: order.market_id,
    outcomeId: order.outcome_id,
    side: order.side,
    price: change.price ?? order.price,
    size: change.size ?? order.size,
    reduceOnly: false,
    isMinted: false,
    filledLots: filled.ok ? Number(filled.value) : 0,
  };
}

export async function explained(
  { lane }: RequestContext,
  asked: Asked,
  error: ApiError,
): Promise<ApiError> {
  const { code, details = {} } = error;
  if (code === 'BALANCE_INSUFFICIENT' && asked.side === 'sell' && !asked.isMinted) {
    const { asset: _money, ...amounts } = details;
    return changed(error, { ...amounts, outcome_id: asked.outcomeId });
  }
  if (code !== 'VALIDATION_FAILED') return error;
  const helped = await lane.read(({ markets }) => {
    const market = markets.get(asMarketId(asked.marketId));
    return market === undefined ? null : withHelp(market, asked, details);
  });
  return helped === null ? error : changed(error, helped);
}

type Details = NonNullable<ApiError['details']>;

function withHelp(market: Market, asked: Asked, details: Details): Details | null {
  const { field } = details;
  if (field === 'outcome_id') {
    return { ...details, expected: `one of ${market.outcomes.map(({ id }) => id).join(', ')}` };
  }
  if (field !== 'price' && field !== 'size') return null;
  const { nearest: _guess, ...rest } = details;
  const nearest = field === 'price' ? nearestPrice(market, asked) : nearestSize(market, asked);
  return nearest === null ? rest : { ...rest, nearest };
}

function nearestPrice(market: Market, { price }: Asked): string | null {
  const pips = priceOnGrid(market, price);
  return pips === null ? null : pipsText(pips);
}

function priceOnGrid(market: Market, price: string | null): number | null {
  return price === null ? null : nearestPips(price, market.tickPips);
}

/** What a market order comes to is only known once it has walked, so there a size is told by the least one alone. */
function nearestSize(market: Market, asked: Asked): string | null {
  const { minLots } = market.template.definition;
  const pips = priceOnGrid(market, asked.price);
  if (pips === null && market.betMin > 0) return null;
  const worth = pips === null || asked.reduceOnly ? 0 : ceilOf(market.betMin, pips);
  const least = Math.max(minLots, worth, asked.filledLots + 1);
  // A buy costs its price at most; a sell may bring more than it asks, up to one.
  const dearest = asked.side === 'buy' ? pips : PIPS_ONE;
  const affordable = dearest === null ? MAX_LOTS : floorOf(market.betMax, dearest);
  const most = Math.min(MAX_LOTS, affordable);
  const lots = least > most ? null : nearestLots(asked.size, least, most);
  return lots === null ? null : lotsText(lots);
}

/** A lot at a pip is one µ. */
function ceilOf(micro: number, pips: number): number {
  return Math.ceil(micro / pips);
}

function floorOf(micro: number, pips: number): number {
  return Math.floor(micro / pips);
}

function changed({ code, replayed, headers }: ApiError, details: Details): ApiError {
  return new ApiError(code, { details, replayed, headers });
}
