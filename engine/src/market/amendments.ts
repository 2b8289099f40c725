// What an operator changes of a market while it lives: a finer tick, a clarification, settlement metadata.
import { formatPips, PIPS_ONE, type Pips } from '@sibyl/money';
import { isOperator } from '../state/authority.ts';
import type {
  Actor,
  AttachChainData,
  ChainRecord,
  ClarifyMarket,
  SetTickSize,
} from '../state/command.ts';
import { isFinal, type Market } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { conflict, governed, marketUnknown } from './lifecycle.ts';

/** Every price on the old grid is on the new one, so that orders at rest keep their places (MK18). */
export function setTickSize(turn: Turn, actor: Actor, command: SetTickSize): Answer {
  const { state, events } = turn;
  const { marketId, tickPips } = command;
  const fault = checkFiner(state.markets.get(marketId), tickPips);
  if (fault !== null) return refuse(fault);
  const market = governed(state, actor, marketId);
  if ('code' in market) return refuse(market);
  const isOpen = market.status === 'scheduled' || market.status === 'active';
  if (!isOpen || market.closing !== null) return refuse(conflict(market));
  const { tickPips: fromPips } = market;
  market.tickPips = tickPips;
  events.push({ type: 'tick_size_changed', marketId, fromPips, toPips: tickPips });
  return accept(DONE);
}

export function clarifyMarket(turn: Turn, actor: Actor, command: ClarifyMarket): Answer {
  const { state, events } = turn;
  const { marketId, text } = command;
  if (!isClarification(text)) return refuse(invalid('text', '1 to 2000 characters'));
  const market = governed(state, actor, marketId);
  if ('code' in market) return refuse(market);
  const isFull = market.clarifications.length >= CLARIFICATIONS_MAX;
  if (isFinal(market) || isFull) return refuse(conflict(market));
  market.clarifications = [...market.clarifications, { text, atMs: state.nowMs }];
  events.push({ type: 'market_clarified', marketId, text });
  return accept(DONE);
}

/** What belongs to a trade is kept by whoever keeps the trade: the state knows no trades. */
export function attachChainData(turn: Turn, actor: Actor, command: AttachChainData): Answer {
  const { state, events } = turn;
  const { record, data } = command;
  if (data !== null && !isJsonObject(data)) {
    return refuse(invalid('chain_data', 'an object of at most 4096 characters as JSON, or null'));
  }
  const missing = missingRecord(state, actor, record);
  if (missing !== null) return refuse(missing);
  if (record.kind === 'market') state.markets.get(record.id)!.chainData = data;
  if (record.kind === 'account') state.accounts.get(record.id)!.chainData = data;
  events.push({ type: 'chain_data_attached', record, data });
  return accept(DONE);
}

const TICK_PIPS_MAX = 1000;
const CLARIFICATION_LENGTH_MAX = 2000;
const CLARIFICATIONS_MAX = 20;
const CHAIN_DATA_LENGTH_MAX = 4096;

function checkFiner(market: Market | undefined, tickPips: Pips): Rejection | null {
  const isTick = Number.isSafeInteger(tickPips) && tickPips >= 1 && tickPips <= TICK_PIPS_MAX;
  if (!isTick || PIPS_ONE % tickPips !== 0) {
    return invalid('tick_size', 'at most 1000 pips and a divisor of 10000');
  }
  if (market === undefined) return null;
  const { tickPips: before } = market;
  if (tickPips < before && before % tickPips === 0) return null;
  return invalid('tick_size', `finer than ${formatPips(before)} and a divisor of it`);
}

function missingRecord(state: State, actor: Actor, record: ChainRecord): Rejection | null {
  const { kind, id } = record;
  if (!isOperator(actor)) return reject('NOT_FOUND');
  switch (kind) {
    case 'market':
      return state.markets.has(id) ? null : marketUnknown(id);
    case 'account':
      return state.accounts.has(id) ? null : reject('NOT_FOUND', { account_id: String(id) });
    case 'trade': {
      const isMade = Number.isSafeInteger(id) && id >= 1 && id < state.nextTradeId;
      return isMade ? null : reject('NOT_FOUND', { trade_id: String(id) });
    }
    default:
      return invalid('record', 'a market, an account or a trade');
  }
}

function isClarification(text: unknown): boolean {
  if (typeof text !== 'string' || !text.isWellFormed()) return false;
  return text.trim().length > 0 && text.length <= CLARIFICATION_LENGTH_MAX;
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > CHAIN_DATA_LENGTH_MAX) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
