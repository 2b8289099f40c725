// The sandbox's oracle: the creator of a market names the winning outcome.
import { checkAccount } from './authority.ts';
import { payoutOf } from './payout.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { DONE, Refusals } from './refusal.ts';
import { propose } from './resolution.ts';
import { familyOf, findMarket, type World } from './world.ts';

export function mockOracle(world: World, command: CommandOf<'mock_oracle'>): PlainAnswer {
  const refusals = new Refusals(world);
  const market = findMarket(world, command.marketId);
  const outcomeId = command.winningOutcomeId;
  const payout =
    market === undefined ? undefined : payoutOf(market, { kind: 'outcome', outcomeId });
  if (market !== undefined && payout === undefined)
    refusals.field('winning_outcome_id', 'an outcome');
  if (world.lane === 'live') refusals.add('SANDBOX_ONLY');
  checkAccount(world, command.actor, command.accountId, refusals);
  const mayAsk =
    market?.template.oracleConfig.source === 'sandbox_mock' &&
    (command.actor.kind !== 'account' ||
      familyOf(world, market.creatorId) === familyOf(world, command.accountId));
  if (market === undefined || !mayAsk) {
    refusals.add('MARKET_NOT_FOUND');
  } else if (
    (market.status !== 'active' && market.status !== 'locked') ||
    market.closing !== null
  ) {
    refusals.add('STATE_CONFLICT');
  }
  if (refusals.any || market === undefined || payout === undefined) return refusals.answer();
  propose(world, market, {
    proposerId: null,
    payout,
    evidence: ['mock_oracle'],
    bond: 0n,
    window: 0,
  });
  return DONE;
}
