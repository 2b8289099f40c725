// Fast rounds: opens the next round when one locks, and reads the price when one closes.

import {
  asAccountId,
  type CommandBody,
  type Market,
  marketIdOf,
  PLATFORM_ACCOUNT,
  type State,
  type Template,
} from '@sibyl/engine';
import type { Decisions } from './orders.ts';
import { referencePrice } from './reference-price.ts';

/** What is due for the rounds of every fast template that the mock source answers for. */
export function dueRounds(state: State, nowMs: number): Decisions {
  const decisions: CommandBody[] = [];
  for (const template of fastTemplates(state)) {
    const { durationMs, lockOffsetMs } = timesOf(template);
    const current = Math.floor(nowMs / durationMs);
    for (let round = current - SETTLED_WITHIN; round < current; round += 1) {
      const market = roundMarket(state, template, round);
      if (market !== undefined) decisions.push(...settle(market, nowMs));
    }
    const locksAtMs = (current + 1) * durationMs - lockOffsetMs;
    const wanted = nowMs < locksAtMs ? current : current + 1;
    if (roundMarket(state, template, wanted) === undefined) {
      decisions.push(opening(template, wanted));
    }
  }
  return decisions;
}

/** Rounds that closed while nobody was there to read the price. */
export function overdueRounds(state: State, nowMs: number): Decisions {
  const ids = new Set(fastTemplates(state).map(({ definition }) => definition.id));
  const decisions: CommandBody[] = [];
  for (const market of state.markets.values()) {
    if (ids.has(market.template.definition.id)) decisions.push(...settle(market, nowMs));
  }
  return decisions;
}

/** How many rounds back are looked at; older ones are found by the sweep at the start. */
const SETTLED_WITHIN = 3;
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

function settle(market: Market, nowMs: number): Decisions {
  if (market.status !== 'locked' || market.closing !== null || market.closesAtMs > nowMs) return [];
  const value = referencePrice(String(market.params.symbol), market.closesAtMs);
  const readings = [{ source: 'sandbox_mock', value }];
  return [{ type: 'report_readings', marketId: market.id, readings }];
}

function opening(template: Template, round: number): CommandBody {
  return {
    type: 'create_market',
    accountId: PLATFORM,
    templateId: template.definition.id,
    params: paramsOf(template, round),
    displayTitle: null,
    displayImageUrl: null,
  };
}

/** All of a round follows from its number, so that it is found without a search. */
function roundMarket(state: State, template: Template, round: number): Market | undefined {
  const { id } = template.definition;
  return state.markets.get(marketIdOf(PLATFORM, id, paramsOf(template, round)));
}

function paramsOf(
  template: Template,
  round: number,
): { readonly symbol: string; readonly strike: string; readonly opens_at_ms: number } {
  const { durationMs, lockOffsetMs } = timesOf(template);
  const symbol = String(template.definition.oracleConfig.params.symbol ?? 'BTC');
  const opensAtMs = round * durationMs;
  const strike = referencePrice(symbol, opensAtMs - lockOffsetMs);
  return { symbol, strike, opens_at_ms: opensAtMs };
}

function timesOf(template: Template): {
  readonly durationMs: number;
  readonly lockOffsetMs: number;
} {
  const { durationSec = 300, lockOffsetMs = 0 } = template.definition.roundConfig ?? {};
  return { durationMs: durationSec * 1000, lockOffsetMs };
}
