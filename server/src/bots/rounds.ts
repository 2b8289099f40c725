// Fast rounds: opens the next round when one locks, and reads the price when one closes.

import {
  asAccountId,
  type CommandBody,
  type Market,
  marketIdOf,
  PLATFORM_ACCOUNT,
  type State,
  type Template,
  type TemplateDefinition,
} from '@sibyl/engine';
import type { Decisions } from './orders.ts';
import type { ReferencePrices } from './reference-price.ts';

/** Where the price is read. */
type Prices = Pick<ReferencePrices, 'price'>;

/** What is due for the rounds of every fast template that the mock source answers for. */
export function dueRounds(state: State, nowMs: number, prices: Prices): Decisions {
  const decisions: CommandBody[] = [];
  for (const template of fastTemplates(state)) {
    const { everyMs } = timesOf(template.definition);
    const current = Math.floor(nowMs / everyMs);
    const earliest = current - Math.ceil(SETTLED_WITHIN_MS / everyMs);
    for (let round = earliest; round < current; round += 1) {
      const market = roundMarket(state, template, round, prices);
      if (market !== undefined) decisions.push(...settle(market, nowMs, prices));
    }
    if (roundMarket(state, template, current, prices) === undefined) {
      decisions.push(opening(template, current, prices));
    }
  }
  return decisions;
}

/** Rounds that closed while nobody was there to read the price. */
export function overdueRounds(state: State, nowMs: number, prices: Prices): Decisions {
  const ids = new Set(fastTemplates(state).map(({ definition }) => definition.id));
  const decisions: CommandBody[] = [];
  for (const market of state.markets.values()) {
    if (ids.has(market.template.definition.id)) decisions.push(...settle(market, nowMs, prices));
  }
  return decisions;
}

export interface Round {
  readonly params: {
    readonly symbol: string;
    readonly strike: string;
    readonly opens_at_ms: number;
  };
  readonly locksAtMs: number;
  readonly closesAtMs: number;
}

/** All of a round follows from its number, so that it is found without a search; its strike is the price it opens at. */
export function roundOf(definition: TemplateDefinition, round: number, prices: Prices): Round {
  const { durationMs, everyMs } = timesOf(definition);
  const symbol = String(definition.oracleConfig.params.symbol ?? 'BTC');
  const opensAtMs = round * everyMs;
  const strike = prices.price(symbol, opensAtMs);
  return {
    params: { symbol, strike, opens_at_ms: opensAtMs },
    locksAtMs: opensAtMs + everyMs,
    closesAtMs: opensAtMs + durationMs,
  };
}

/** How far back rounds are looked at; older ones are found by the sweep at the start. */
const SETTLED_WITHIN_MS = 1_200_000;
const PLATFORM = asAccountId(PLATFORM_ACCOUNT);

function fastTemplates(state: State): readonly Template[] {
  const templates: Template[] = [];
  for (const versions of state.templates.values()) {
    const latest = versions.at(-1);
    if (latest === undefined || latest.status !== 'active') continue;
    const { marketType, oracleConfig } = latest.definition;
    if (marketType === 'fast' && oracleConfig.source === 'sandbox_mock') templates.push(latest);
  }
  return templates;
}

function settle(market: Market, nowMs: number, prices: Prices): Decisions {
  if (market.status !== 'locked' || market.closing !== null || market.closesAtMs > nowMs) return [];
  const value = prices.price(String(market.params.symbol), market.closesAtMs);
  const readings = [{ source: 'sandbox_mock', value }];
  return [{ type: 'report_readings', marketId: market.id, readings }];
}

function opening({ definition }: Template, round: number, prices: Prices): CommandBody {
  return {
    type: 'create_market',
    accountId: PLATFORM,
    templateId: definition.id,
    params: roundOf(definition, round, prices).params,
    displayTitle: null,
    displayImageUrl: null,
  };
}

function roundMarket(
  state: State,
  { definition }: Template,
  round: number,
  prices: Prices,
): Market | undefined {
  const { params } = roundOf(definition, round, prices);
  return state.markets.get(marketIdOf(PLATFORM, definition.id, params));
}

/** The next round opens when one locks: somewhere one can always trade. */
function timesOf({ roundConfig }: TemplateDefinition): {
  readonly durationMs: number;
  readonly everyMs: number;
} {
  const { durationSec = 300, lockOffsetMs = 0 } = roundConfig ?? {};
  const durationMs = durationSec * 1000;
  return { durationMs, everyMs: durationMs - lockOffsetMs };
}
