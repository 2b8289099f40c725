// Complete sets by hand: one USDT becomes one share of every outcome, and back.

import { type Lots, MAX_LOTS, sharesOf } from '@sibyl/money';
import type { Account } from '../account/account.ts';
import { actingAccount, isRejection } from '../account/authority.ts';
import { checkFree, frozen } from '../account/money.ts';
import type { Actor, MergeSets, MintSets } from '../command.ts';
import type { Market } from '../market/market.ts';
import { type Answer, DONE } from '../outcome.ts';
import { invalid, type Rejection, reject } from '../reject.ts';
import { accept, refuse, type Turn } from '../turn.ts';
import { freeSlot } from './holding.ts';
import {
  freeShares,
  freeSharesAccount,
  holdingOf,
  recordBought,
  recordSold,
  reservedShares,
} from './holdings.ts';

export function mintSets(turn: Turn, actor: Actor, command: MintSets): Answer {
  const { state } = turn;
  const gate = openMarket(turn, actor, command);
  if (isRejection(gate)) return refuse(gate);
  const { account, market } = gate;
  const amount = sharesOf(command.lots);
  const lacking = checkFree(state, account, amount);
  if (lacking !== null) return refuse(lacking);
  const holding = holdingOf(state, account, market);
  const outcomes = market.outcomes.length;
  state.ledger.post(account.free, -amount);
  state.ledger.post(market.escrow, amount);
  for (let outcome = 0; outcome < outcomes; outcome += 1) {
    state.ledger.post(market.issue[outcome]!, -amount);
    state.ledger.post(freeSharesAccount(state, holding, outcome), amount);
    recordBought(holding, outcome, evenPart(amount, outcomes, outcome));
  }
  return convert(turn, account, market, 'mint', command.lots);
}

export function mergeSets(turn: Turn, actor: Actor, command: MergeSets): Answer {
  const { state } = turn;
  const gate = openMarket(turn, actor, command);
  if (isRejection(gate)) return refuse(gate);
  const { account, market } = gate;
  const amount = sharesOf(command.lots);
  const holding = state.holdings.find(account, market);
  const outcomes = market.outcomes.length;
  for (let outcome = 0; outcome < outcomes; outcome += 1) {
    const free = holding === undefined ? 0n : freeShares(state, holding, outcome);
    if (free < amount) {
      const outcomeId = market.outcomes[outcome]!.id;
      const reserved = holding === undefined ? 0n : reservedShares(state, holding, outcome);
      const details = { outcome_id: outcomeId, required: amount, free, reserved };
      return refuse(reject('BALANCE_INSUFFICIENT', details));
    }
  }
  const held = holdingOf(state, account, market);
  for (let outcome = 0; outcome < outcomes; outcome += 1) {
    recordSold(state, held, outcome, command.lots, evenPart(amount, outcomes, outcome));
    state.ledger.post(freeSlot(held, outcome), -amount);
    state.ledger.post(market.issue[outcome]!, amount);
  }
  state.ledger.post(market.escrow, -amount);
  state.ledger.post(account.free, amount);
  return convert(turn, account, market, 'merge', command.lots);
}

function convert(
  turn: Turn,
  account: Account,
  market: Market,
  action: 'mint' | 'merge',
  lots: Lots,
): Answer {
  const { events } = turn;
  const accountId = account.id;
  events.push({ type: 'sets_converted', accountId, marketId: market.id, action, lots });
  turn.state.ledger.commit(events, action, market.id);
  return accept(DONE);
}

function openMarket(
  turn: Turn,
  actor: Actor,
  command: MintSets | MergeSets,
): { readonly account: Account; readonly market: Market } | Rejection {
  const { state } = turn;
  const { lots } = command;
  if (!Number.isSafeInteger(lots) || lots <= 0 || lots > MAX_LOTS) {
    return invalid('size', 'a positive whole number of lots');
  }
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return account;
  if (account.frozen) return frozen(account);
  const market = state.markets.get(command.marketId);
  if (market === undefined) {
    return reject('MARKET_NOT_FOUND', { market_id: String(command.marketId) });
  }
  if (!market.approved) return reject('MARKET_NOT_APPROVED', { market_id: market.id });
  if (market.status !== 'active' || market.closing !== null) {
    return reject('MARKET_CLOSED', { market_id: market.id, status: market.status });
  }
  if (market.halted) return reject('MARKET_HALTED', { market_id: market.id });
  return { account, market };
}

/** An even share of the amount; what does not divide goes to the first outcome. */
export function evenPart(amount: bigint, parts: number, index: number): bigint {
  const count = BigInt(parts);
  const even = amount / count; // exact: the remainder is given to the first part
  return index === 0 ? amount - even * (count - 1n) : even;
}
