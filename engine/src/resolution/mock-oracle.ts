// The sandbox's oracle: the creator of a market with a mock source names the winning outcome, and the market resolves immediately.
import type { Usdt } from '@sibyl/money';
import { frozen } from '../account/money.ts';
import { conflict, marketUnknown } from '../market/lifecycle.ts';
import { isSameFamily } from '../state/account.ts';
import { actingAccount, isOperator, isRejection } from '../state/authority.ts';
import type { Actor, MockOracle } from '../state/command.ts';
import { outcomeIndex } from '../state/market.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, reject } from '../state/reject.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
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
  if (!isOperator(actor) && !isSameFamily(market.creator, account)) {
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

const EVIDENCE: readonly string[] = ['mock_oracle'];
