// The sandbox's oracle: whoever harms nobody may say how a market of a mock template ends, and it ends so at once.
import type { Usdt } from '@sibyl/money';
import { type Account, isOwn, isSameFamily } from '../account/account.ts';
import { actingAccount, isOperator, isRejection } from '../account/authority.ts';
import { frozen } from '../account/money.ts';
import type { Actor, MockOracle } from '../command.ts';
import { conflict, marketUnknown } from '../market/lifecycle.ts';
import { type Market, outcomeIndex } from '../market/market.ts';
import { type Answer, DONE } from '../outcome.ts';
import { holdsShares } from '../position/holdings.ts';
import { invalid, reject } from '../reject.ts';
import type { State } from '../state.ts';
import { accept, refuse, type Turn } from '../turn.ts';
import { winnerTakesAll } from './payout.ts';
import { propose } from './propose.ts';

export function mockOracle(turn: Turn, actor: Actor, command: MockOracle): Answer {
  const { state } = turn;
  const { marketId, winningOutcomeId } = command;
  const market = state.markets.get(marketId);
  if (market !== undefined && outcomeIndex(market, winningOutcomeId) < 0) {
    return refuse(invalid('winning_outcome_id', 'an outcome of the market'));
  }
  if (state.lane !== 'sandbox') return refuse(reject('SANDBOX_ONLY'));
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (account.frozen) return refuse(frozen(account));
  const isMock = market?.template.definition.oracleConfig.source === 'sandbox_mock';
  if (market === undefined || !isMock) return refuse(marketUnknown(marketId));
  if (!isOperator(actor) && !isTheirs(state, account, market)) {
    return refuse(marketUnknown(marketId));
  }
  const isEligible = market.status === 'active' || market.status === 'locked';
  if (!isEligible || market.closing !== null) return refuse(conflict(market));
  propose(turn, market, {
    proposer: null,
    payout: winnerTakesAll(market, outcomeIndex(market, winningOutcomeId)) ?? [],
    evidence: EVIDENCE,
    bond: 0n as Usdt,
    windowMs: 0,
  });
  return accept(DONE);
}

/** Made by the family, or touched by nobody but it and the exchange itself. */
function isTheirs(state: State, account: Account, market: Market): boolean {
  if (isSameFamily(market.creator, account)) return true;
  if (market.pool !== null && !isOwn(market.creator)) return false;
  for (const holding of market.holdings.values()) {
    if (isSameFamily(holding.account, account) || isOwn(holding.account)) continue;
    if (holding.openOrders > 0 || holdsShares(state, holding)) return false;
  }
  return true;
}

const EVIDENCE: readonly string[] = ['mock_oracle'];
