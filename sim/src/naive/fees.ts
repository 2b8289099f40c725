// Taker fee, maker rebate and the seven parts, computed anew for every fill.
import { ceilDiv } from './fixed.ts';
import type { PlainParameters, PlainSplit } from './plain.ts';
import type { NaiveMarket } from './world.ts';

export function takerFee(
  cost: bigint,
  shares: bigint,
  market: NaiveMarket,
  parameters: PlainParameters,
): bigint {
  const bottom = BigInt(parameters.fee.takerFloorRate);
  const peak = BigInt(market.template.feeSchedule.takerBps) * 10_000n;
  const rate = bottom + ((peak - bottom) * 4n * cost * (shares - cost)) / (shares * shares);
  return ceilDiv(cost * rate, 100_000_000n);
}

export function builderFee(cost: bigint, feeBps: number): bigint {
  return (cost * BigInt(feeBps)) / 10_000n;
}

export function rebate(
  base: bigint,
  quality: number,
  market: NaiveMarket,
  parameters: PlainParameters,
): bigint {
  if (!parameters.fee.rebatesPaid) return 0n;
  const bottom = BigInt(parameters.fee.rebateFloorRate);
  const top = BigInt(market.template.feeSchedule.makerBps) * 10_000n;
  return (base * (bottom + ((top - bottom) * BigInt(quality)) / 10_000n)) / 100_000_000n;
}

/** The base of each leg: by notional, floors, the rest to the first. */
export function shareBase(base: bigint, notionals: readonly bigint[]): bigint[] {
  let total = 0n;
  for (const each of notionals) total += each;
  const shares = notionals.map((each) => (base * each) / total);
  let rest = base;
  for (const each of shares) rest -= each;
  return shares.map((each, index) => (index === 0 ? each + rest : each));
}

export interface Actors {
  readonly creator: boolean;
  readonly builder: boolean;
  readonly referrer: boolean;
}

export function splitFee(
  fee: bigint,
  maker: bigint,
  actors: Actors,
  parameters: PlainParameters,
): PlainSplit {
  const net = fee - maker;
  const part = (weight: number): bigint => (net * BigInt(weight)) / 10_000n;
  const creator = actors.creator ? part(parameters.fee.creatorWeight) : 0n;
  const builder = actors.builder ? part(parameters.fee.builderWeight) : 0n;
  const referrer = actors.referrer ? part(parameters.fee.referrerWeight) : 0n;
  const oracle = part(parameters.fee.oracleWeight);
  const insurance = part(parameters.fee.insuranceWeight);
  const treasury = net - creator - builder - referrer - oracle - insurance;
  return { maker, creator, builder, referrer, oracle, insurance, treasury };
}

/** Where the parts that stay in the market go: names and amounts of unvested accounts. */
export function unvestedParts(
  market: NaiveMarket,
  split: PlainSplit,
  payees: { readonly appId: string | null; readonly referrerId: string | null },
): [name: string, amount: bigint][] {
  const kept = `market:${market.id}:fees:`;
  return [
    [`${kept}builder:${payees.appId}`, split.builder],
    [`${kept}creator:${market.creatorId}`, split.creator],
    [`${kept}referrer:${payees.referrerId}`, split.referrer],
    [`${kept}oracle`, split.oracle],
    [`${kept}insurance`, split.insurance],
    [`${kept}treasury`, split.treasury],
  ];
}
