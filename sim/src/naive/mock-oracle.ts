// The sandbox's oracle that says what it is told, to those whom it harms alone.
import { checkAccount } from './authority.ts';
import { payoutOf } from './payout.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { DONE, Refusals } from './refusal.ts';
import { propose } from './resolution.ts';
import {
  familyOf,
  findAccount,
  findMarket,
  heldShares,
  type NaiveMarket,
  ordersOf,
  PLATFORM,
  type World,
} from './world.ts';

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
    (command.actor.kind !== 'account' || isOwnAffair(world, market, command.accountId));
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

/** Did the account's family make the market, or is nobody else in it but the exchange's own? */
function isOwnAffair(world: World, market: NaiveMarket, accountId: string): boolean {
  const family = familyOf(world, accountId);
  if (familyOf(world, market.creatorId) === family) return true;
  const isOwn = (id: string): boolean =>
    id === PLATFORM || familyOf(world, id) === family || findAccount(world, id)?.mode === 'bot';
  const holds = (id: string): boolean =>
    market.outcomes.some((_, index) => heldShares(world, id, market.id, index) > 0n);
  return (
    (market.pool === null || isOwn(market.creatorId)) &&
    ordersOf(world, market.id).every((order) => isOwn(order.accountId)) &&
    world.accounts.every((account) => isOwn(account.id) || !holds(account.id))
  );
}
