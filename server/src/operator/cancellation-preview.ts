// What a cancellation of a market would pay, and who gains and loses: nothing is stored.
import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import {
  asMarketId,
  type FairValue,
  fairValue,
  isFinal,
  isMoved,
  isShallow,
  lastDayValue,
  type Market,
  previewVoid,
  type State,
  slicesUntilNow,
  type VoidPart,
  type VoidPreview,
} from '@sibyl/engine';
import { ApiError, fail, refusal } from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { payoutView, windowView } from '../wire/cancellation-view.ts';
import { openingPrice } from '../wire/market-view.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { type ChartSubject, readChart } from './cancellation-chart.ts';
import {
  type HolderTrades,
  type LateTrade,
  readHolders,
  readTrading,
  type Trader,
  tradersOf,
} from './cancellation-fills.ts';
import type { WatchedLane } from './parts.ts';

type Preview = OutputOf<OperatorOperations['previewCancellation']>;
type Holder = Preview['gainers'][number];
type Cause = NonNullable<InputOf<OperatorOperations['previewCancellation']>['query']['cause']>;

/** Of those who gain most, and of those who lose most. */
const SHOWN_MAX = 20;
const LATE_MAX = 100;
const COUNTERPARTIES_MAX = 5;
/** A default window in which fewer families traded says little (VD8). */
const FAMILIES_MIN = 5;

export interface Terms {
  readonly marketId: string;
  readonly cause: Cause;
  readonly window: { readonly fromMs: number; readonly toMs: number } | null;
  readonly excluded: readonly string[];
}

type Gap = NonNullable<Terms['window']>;

/** What the state says of a cancellation, read in one step. */
interface Values {
  readonly market: Market;
  readonly counted: FairValue;
  readonly lastDay: FairValue;
  readonly named: FairValue | null;
  readonly isMoved: boolean;
  readonly isShallow: boolean;
  readonly traders: readonly Trader[];
  readonly chart: ChartSubject;
  /** Times without trading between two slices of prices. */
  readonly gaps: readonly Gap[];
}

export async function readPreview(watched: WatchedLane, terms: Terms): Promise<Preview | ApiError> {
  const { lane, history } = watched;
  const values = await lane.read((state) => valuesOf(state, terms));
  if (values instanceof ApiError) return values;
  const { market, counted, traders, named } = values;
  const chosen = named ?? counted;
  const paid = await readPayments(watched, terms, chosen);
  if (paid instanceof ApiError) return paid;
  const lateFromMs = terms.window?.toMs ?? Number.MAX_SAFE_INTEGER;
  const spans = { counted: counted.span, lateFromMs };
  const { families, late } = await readTrading(history, market, traders, chosen.payout, spans);
  const shown = new Set([...paid.gainers, ...paid.losers].map(({ accountId }) => accountId));
  const trades = await readHolders(history, market.id, traders, shown);
  const holderOf = (part: VoidPart): Holder =>
    holderView(market, part, trades.get(part.accountId)!);
  const isThin = values.isShallow || families.size < FAMILIES_MIN;
  return {
    market_id: market.id,
    lane: lane.name,
    default: valueView(market, counted),
    last_day: valueView(market, values.lastDay),
    named: named === null ? null : valueView(market, named),
    flags: [
      ...(isThin ? (['thin'] as const) : []),
      ...(values.isMoved ? (['moved'] as const) : []),
      ...(late.length > 0 ? (['late_trades'] as const) : []),
    ],
    families: families.size,
    holders: paid.holders,
    fees_returned: amountText(paid.feesReturned),
    pool_deposit: amountText(market.deposit),
    pool_paid: amountText(paid.poolPaid),
    pool_excess: amountText(paid.excess),
    late_trades: late.slice(0, LATE_MAX).map(lateView),
    gainers: paid.gainers.map(holderOf),
    losers: paid.losers.map(holderOf),
    chart: await readChart(history, values.chart),
    gaps: values.gaps.map(windowView),
  };
}

/** Why the default window does not do, if it does not: operators name another (VD8). */
export async function windowFlags(
  { lane, history }: WatchedLane,
  terms: Terms,
): Promise<{ readonly thin: boolean; readonly moved: boolean } | ApiError> {
  const values = await lane.read((state) => valuesOf(state, terms));
  if (values instanceof ApiError) return values;
  const { market, counted, traders } = values;
  const spans = { counted: counted.span, lateFromMs: Number.MAX_SAFE_INTEGER };
  const { families } = await readTrading(history, market, traders, counted.payout, spans);
  const thin = values.isShallow || families.size < FAMILIES_MIN;
  return { thin, moved: values.isMoved };
}

function valuesOf(state: State, { marketId, window, excluded }: Terms): Values | ApiError {
  const market = state.markets.get(asMarketId(marketId));
  if (market === undefined) return fail('MARKET_NOT_FOUND', { market_id: marketId });
  if (isFinal(market) || market.closing !== null) {
    return fail('STATE_CONFLICT', { market_id: marketId, status: market.status });
  }
  const indexes = excluded.map((id) => market.outcomes.findIndex((outcome) => outcome.id === id));
  if (indexes.includes(-1)) {
    const expected = 'outcomes of the market, separated by commas';
    return fail('VALIDATION_FAILED', { field: 'excluded', expected });
  }
  const counted = fairValue(state, market, null, indexes);
  const lastDay = lastDayValue(state, market, indexes);
  const named = window === null ? null : fairValue(state, market, window, indexes);
  if ('code' in counted) return refusal(counted);
  if ('code' in lastDay) return refusal(lastDay);
  if (named !== null && 'code' in named) return refusal(named);
  return {
    market,
    counted,
    lastDay,
    named,
    isMoved: isMoved(state, counted, lastDay),
    isShallow: isShallow(market, counted),
    traders: tradersOf(market),
    chart: {
      marketId,
      createdAtMs: market.createdAtMs,
      openingPrices: market.outcomes.map((_, index) => openingPrice(market, index)),
      nowMs: state.nowMs,
    },
    gaps: gapsOf(state, market),
  };
}

/** Slices come newest first. */
function gapsOf(state: State, market: Market): readonly Gap[] {
  const slices = slicesUntilNow(state, market);
  return slices.flatMap(({ fromMs: toMs }, index) => {
    const before = slices[index + 1];
    return before === undefined || before.toMs === toMs ? [] : [{ fromMs: before.toMs, toMs }];
  });
}

/** In portions of holders, between which others are served. */
async function readPayments(
  { lane }: WatchedLane,
  { marketId, cause }: Terms,
  { payout }: FairValue,
): Promise<VoidPreview | ApiError> {
  let steps: ReturnType<typeof previewVoid> | null = null;
  for (;;) {
    // The market may come to its end between two portions.
    const step = await lane.read((state) => {
      const market = state.markets.get(asMarketId(marketId));
      if (market === undefined || isFinal(market) || market.closing !== null) {
        return fail('STATE_CONFLICT', { market_id: marketId });
      }
      steps ??= previewVoid(state, market, payout, cause, SHOWN_MAX);
      return steps.next();
    });
    if (step instanceof ApiError) return step;
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const PERCENT = 100;

function valueView(market: Market, { payout, span, windowMs, sources }: FairValue) {
  const percent = (ms: number): number =>
    windowMs === 0 ? 0 : Math.round((PERCENT * ms) / windowMs);
  return {
    payout_vector: payoutView(market.outcomes, payout),
    window: span === null ? null : windowView(span),
    window_ms: windowMs,
    sources: {
      pool: percent(sources.pool),
      depth: percent(sources.depth),
      trades: percent(sources.trades),
      opening: windowMs === 0 ? PERCENT : percent(sources.opening),
    },
  };
}

function lateView({ family, bought, sold, gain }: LateTrade) {
  return {
    family,
    bought: amountText(bought),
    sold: amountText(sold),
    gain: amountText(gain),
  };
}

function holderView(market: Market, part: VoidPart, trades: HolderTrades): Holder {
  const { accountId, shares, cost, payout, feesReturned, gain } = part;
  const against = [...trades.against].sort(([, a], [, b]) => (a.bought < b.bought ? 1 : -1));
  return {
    account_id: accountId,
    paid: amountText(trades.paid),
    received: amountText(trades.received),
    shares: market.outcomes.map(({ id }, index) => ({
      outcome_id: id,
      size: amountText(shares[index] ?? 0n),
    })),
    cost: amountText(cost),
    payout: amountText(payout),
    fees_returned: amountText(feesReturned),
    gain: amountText(gain),
    bought_first_at: isoTimeOrNull(trades.firstBuyMs),
    bought_first_at_ms: trades.firstBuyMs,
    bought_last_at: isoTimeOrNull(trades.lastBuyMs),
    bought_last_at_ms: trades.lastBuyMs,
    against: against.slice(0, COUNTERPARTIES_MAX).map(([otherId, sum]) => ({
      account_id: otherId,
      bought: amountText(sum.bought),
      cost: amountText(sum.cost),
    })),
  };
}
