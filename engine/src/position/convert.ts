// Complete sets by hand: one USDT becomes one share of every outcome, and back.

import { ceilDiv, type Lots, sharesOf, usdt } from '@sibyl/money';
import { checkFree, frozen } from '../account/money.ts';
import { checkExcluded, checkLoss } from '../compliance/own-limits.ts';
import { postParts } from '../fee/post.ts';
import { hasReferrer, splitFee } from '../fee/split.ts';
import { RATE_ONE } from '../fee/taker.ts';
import { checkSize, checkTerms } from '../order/validate.ts';
import { checkExpiry, checkGrantCap } from '../risk/grant.ts';
import { breach, isOverPosition } from '../risk/limits.ts';
import { checkTier } from '../risk/tier.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isRejection } from '../state/authority.ts';
import { type Credential, countUse } from '../state/cap-use.ts';
import type { Actor, MergeSets, MintSets } from '../state/command.ts';
import { addCost, addKept, freeSlot, type Holding } from '../state/holding.ts';
import { discounted, useMade } from '../state/made.ts';
import type { Market } from '../state/market.ts';
import type { Answer } from '../state/outcome.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import {
  freeShares,
  freeSharesAccount,
  holdingOf,
  recordResult,
  recordSold,
  reservedShares,
} from './holdings.ts';

export function mintSets(turn: Turn, actor: Actor, command: MintSets): Answer {
  const { state } = turn;
  const mint = prepareMint(state, actor, command);
  if (isRejection(mint)) return refuse(mint);
  const { account, market, amount, credential, cut, fee } = mint;
  const holding = holdingOf(state, account, market);
  const outcomes = market.outcomes.length;
  state.ledger.post(account.free, -amount - fee);
  state.ledger.post(market.escrow, amount);
  for (let outcome = 0; outcome < outcomes; outcome += 1) {
    state.ledger.post(market.issue[outcome]!, -amount);
    state.ledger.post(freeSharesAccount(state, holding, outcome), amount);
    addCost(holding, outcome, evenPart(amount, outcomes, outcome));
  }
  countUse(state, credential, Number(amount)); // exact: at most 10¹⁵
  if (cut > 0) useMade(state, holding, cut);
  return convert(turn, holding, 'mint', command.lots, fee);
}

interface Mint {
  readonly account: Account;
  readonly market: Market;
  readonly amount: bigint;
  readonly credential: Credential | null;
  readonly cut: number;
  readonly fee: bigint;
}

/** Everything decided about a mint before anything changes. */
export function prepareMint(state: State, actor: Actor, command: MintSets): Mint | Rejection {
  const { lots, caps, grant } = command;
  const fault = checkSize(lots) ?? checkTerms(command);
  if (fault !== null) return fault;
  const gate = openMarket(state, actor, command);
  if (isRejection(gate)) return gate;
  const { account, market } = gate;
  const amount = sharesOf(lots);
  const credential = state.capUses.credentialOf(account, caps, grant);
  const demand = { notional: amount, day: amount, more: amount, given: 0n };
  const cut = discounted(state, state.holdings.find(account, market), lots);
  const fee = conversionFee(state, account, market, amount, cut);
  const refused =
    checkTier(state, caps, credential, demand) ??
    checkGrantCap(state, grant, credential, demand) ??
    checkPositions(state, account, market, lots) ??
    checkLoss(state, account, amount + fee) ??
    checkFree(state, account, amount + fee);
  return refused ?? { account, market, amount, credential, cut, fee };
}

export function mergeSets(turn: Turn, actor: Actor, command: MergeSets): Answer {
  const { state } = turn;
  const fault = checkSize(command.lots);
  if (fault !== null) return refuse(fault);
  const gate = openMarket(state, actor, command);
  if (isRejection(gate)) return refuse(gate);
  const { account, market } = gate;
  const amount = sharesOf(command.lots);
  const lacking = checkSets(state, account, market, amount);
  if (lacking !== null) return refuse(lacking);
  const holding = holdingOf(state, account, market);
  const cut = discounted(state, holding, command.lots);
  const fee = conversionFee(state, account, market, amount, cut);
  if (cut > 0) useMade(state, holding, cut);
  const outcomes = market.outcomes.length;
  for (let outcome = 0; outcome < outcomes; outcome += 1) {
    recordSold(state, holding, outcome, command.lots, evenPart(amount, outcomes, outcome));
    state.ledger.post(freeSlot(holding, outcome), -amount);
    state.ledger.post(market.issue[outcome]!, amount);
  }
  state.ledger.post(market.escrow, -amount);
  state.ledger.post(account.free, amount - fee);
  return convert(turn, holding, 'merge', command.lots, fee);
}

/**
 * What a conversion costs: the same trade as a buy, with a smaller notional, must not be cheaper (FE8). Of the lots that
 * are `cut` a maker's quality takes its part off.
 */
function conversionFee(
  state: State,
  account: Account,
  market: Market,
  amount: bigint,
  cut: number,
): bigint {
  const { conversionRate } = state.parameters.fee;
  const quality = state.holdings.find(account, market)?.quality ?? 0;
  const charged = amount * BigInt(QUALITY_ONE) - sharesOf(cut as Lots) * BigInt(quality);
  return ceilDiv(charged * BigInt(conversionRate), BigInt(RATE_ONE) * BigInt(QUALITY_ONE));
}

/** The fee is split like a taker's, without a maker and an app, and counts as paid into the market. */
function convert(
  turn: Turn,
  holding: Holding,
  action: 'mint' | 'merge',
  lots: Lots,
  fee: bigint,
): Answer {
  const { events, state } = turn;
  const { account, market } = holding;
  const charged = Number(fee); // exact: at most 11 bps of 10¹⁵
  const { fee: parameters } = state.parameters;
  const split = splitFee(
    charged,
    0,
    !market.platform,
    false,
    hasReferrer(state, account),
    parameters,
  );
  addKept(holding, fee);
  recordResult(holding, 0, -fee);
  postParts(state, account, market, split);
  const marketId = market.id;
  events.push({
    type: 'sets_converted',
    accountId: account.id,
    marketId,
    action,
    lots,
    fee: usdt(fee),
  });
  state.ledger.commit(events, action, marketId);
  return accept({ kind: 'converted', lots, fee: usdt(fee) });
}

function checkSets(
  state: State,
  account: Account,
  market: Market,
  amount: bigint,
): Rejection | null {
  const holding = state.holdings.find(account, market);
  for (let outcome = 0; outcome < market.outcomes.length; outcome += 1) {
    const free = holding === undefined ? 0n : freeShares(state, holding, outcome);
    if (free >= amount) continue;
    const outcomeId = market.outcomes[outcome]!.id;
    const reserved = holding === undefined ? 0n : reservedShares(state, holding, outcome);
    const details = { outcome_id: outcomeId, required: amount, free, reserved };
    return reject('BALANCE_INSUFFICIENT', details);
  }
  return null;
}

/** A mint is so many more of every outcome. */
function checkPositions(
  state: State,
  account: Account,
  market: Market,
  lots: Lots,
): Rejection | null {
  for (let outcome = 0; outcome < market.outcomes.length; outcome += 1) {
    if (isOverPosition(state, account, market, outcome, lots, null)) return breach('position');
  }
  return null;
}

const QUALITY_ONE = 10_000;

function openMarket(
  state: State,
  actor: Actor,
  command: MintSets | MergeSets,
): { readonly account: Account; readonly market: Market } | Rejection {
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return account;
  const expired = command.type === 'mint_sets' ? checkExpiry(state, command.grant) : null;
  if (expired !== null) return expired;
  if (account.frozen) return frozen(account);
  const excluded = command.type === 'mint_sets' ? checkExcluded(state, account) : null;
  if (excluded !== null) return excluded;
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
