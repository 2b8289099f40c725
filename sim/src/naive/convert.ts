// Complete sets: a user mints and merges them at their size and a fee.
import { checkAccount, isLots } from './authority.ts';
import { checkCaps, checkExpiry, checkTermFields, dayOf, recordUse, scopesOf } from './caps.ts';
import { Entry } from './entry.ts';
import { splitFee, unvestedParts } from './fees.ts';
import { isReferred } from './fill.ts';
import { ceilDiv } from './fixed.ts';
import { checkTradable } from './order-checks.ts';
import { checkExcluded, checkLoss } from './own-limits.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { at } from './pool.ts';
import { recordFees, spread } from './position.ts';
import { accepted, Refusals } from './refusal.ts';
import { exceedsPosition } from './risk.ts';
import {
  balance,
  findAccount,
  findMarket,
  freeName,
  freeShares,
  freeSharesName,
  heldShares,
  holderOf,
  type NaiveMarket,
  PLATFORM,
  qualityOf,
  reservedName,
  reservedSharesName,
  sharesOf,
  type World,
} from './world.ts';

export function convertSets(
  world: World,
  command: CommandOf<'mint_sets'> | CommandOf<'merge_sets'>,
): PlainAnswer {
  const { accountId, marketId, lots } = command;
  const refusals = new Refusals(world);
  if (!isLots(lots)) refusals.field('size', 'whole lots');
  if (command.type === 'mint_sets') checkTermFields(command, refusals);
  checkAccount(world, command.actor, accountId, refusals);
  if (command.type === 'mint_sets') {
    checkExpiry(world, command, refusals);
    checkExcluded(world, accountId, refusals);
  }
  const market = findMarket(world, marketId);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else checkTradable(market, refusals);
  if (refusals.any || market === undefined) return refusals.answer();
  const shares = sharesOf(lots);
  const made = madeBy(world, market, accountId);
  const fee = conversionFee(world, market, accountId, lots, made);
  if (command.type === 'mint_sets') checkMint(world, market, command, shares + fee, refusals);
  else checkSets(world, market, accountId, shares, refusals);
  if (refusals.any) return refusals.answer();
  if (qualityOf(market, accountId) > 0) useUp(made, lots);
  const action = command.type === 'mint_sets' ? 'mint' : 'merge';
  world.events.push({ type: 'sets_converted', accountId, marketId, action, lots, fee });
  recordConversion(world, market, accountId, action, shares);
  recordFees(market, accountId, 0, fee, fee);
  if (command.type === 'mint_sets') recordUse(world, scopesOf(world, accountId, command), shares);
  const signed = action === 'mint' ? shares : -shares;
  const entry = new Entry(world).add(freeName(accountId), -signed - fee).mint(market, signed);
  for (let index = 0; index < market.outcomes.length; index += 1) {
    entry.add(freeSharesName(accountId, marketId, index), signed);
  }
  for (const [name, amount] of feeParts(world, market, accountId, fee)) entry.add(name, amount);
  entry.commit(action, marketId);
  return accepted({ kind: 'converted', lots, fee });
}

/** What the account filled as a maker today and yesterday, and did not use yet. */
function madeBy(world: World, market: NaiveMarket, accountId: string): NaiveMarket['made'] {
  market.made = market.made.filter(({ day, left }) => day >= dayOf(world) - 1 && left > 0);
  return market.made.filter((each) => each.accountId === accountId);
}

/** A maker of full quality converts for nothing what it has filled. */
function conversionFee(
  world: World,
  market: NaiveMarket,
  accountId: string,
  lots: number,
  made: NaiveMarket['made'],
): bigint {
  const rate = BigInt(world.parameters.fee.conversionRate);
  const quality = qualityOf(market, accountId);
  const cut = Math.min(
    lots,
    made.reduce((sum, { left }) => sum + left, 0),
  );
  const whole = sharesOf(lots - cut) * 10_000n + sharesOf(cut) * BigInt(10_000 - quality);
  return ceilDiv(whole * rate, 10n ** 12n);
}

function useUp(made: NaiveMarket['made'], lots: number): void {
  let wanted = lots;
  for (const each of made) {
    const taken = Math.min(each.left, wanted);
    each.left -= taken;
    wanted -= taken;
  }
}

function feeParts(world: World, market: NaiveMarket, accountId: string, fee: bigint) {
  const referrerId = findAccount(world, accountId)?.referrerId ?? null;
  const actors = {
    creator: market.creatorId !== PLATFORM,
    builder: false,
    referrer: isReferred(world, accountId),
  };
  const split = splitFee(fee, 0n, actors, world.parameters);
  return unvestedParts(market, split, { appId: null, referrerId });
}

function checkMint(
  world: World,
  market: NaiveMarket,
  command: CommandOf<'mint_sets'>,
  required: bigint,
  refusals: Refusals,
): void {
  const { accountId, lots } = command;
  const notional = sharesOf(lots);
  const exceptOrderId = null;
  const counted = { notional, forDay: notional, given: 0n, isSimulated: false };
  const facts = { accountId, ...counted, side: 'buy', exceptOrderId } as const;
  checkCaps(world, command, facts, refusals);
  const above = market.outcomes.some((_, outcome) =>
    exceedsPosition(world, { accountId, market, outcome, exceptOrderId }, lots),
  );
  if (above) refusals.add('RISK_LIMIT_BREACH', { limit: 'position' });
  checkLoss(world, accountId, required, refusals);
  const free = balance(world, freeName(accountId));
  const reserved = balance(world, reservedName(accountId));
  if (free < required) refusals.add('BALANCE_INSUFFICIENT', { required, free, reserved });
}

function recordConversion(
  world: World,
  market: NaiveMarket,
  accountId: string,
  action: 'mint' | 'merge',
  shares: bigint,
): void {
  const holder = holderOf(market, accountId);
  const parts = spread(shares, market.outcomes.length);
  for (let index = 0; index < parts.length; index += 1) {
    const basis = at(holder.cost, index);
    if (action === 'mint') holder.cost[index] = basis + at(parts, index);
    else {
      const out = (basis * shares) / heldShares(world, accountId, market.id, index);
      holder.cost[index] = basis - out;
      holder.realized[index] = at(holder.realized, index) + at(parts, index) - out;
    }
  }
}

function checkSets(
  world: World,
  market: NaiveMarket,
  accountId: string,
  shares: bigint,
  refusals: Refusals,
): void {
  for (let index = 0; index < market.outcomes.length; index += 1) {
    const free = freeShares(world, accountId, market.id, index);
    if (free >= shares) continue;
    const reserved = balance(world, reservedSharesName(accountId, market.id, index));
    const outcome_id = at(market.outcomes, index).id;
    refusals.add('BALANCE_INSUFFICIENT', { outcome_id, required: shares, free, reserved });
    return;
  }
}
