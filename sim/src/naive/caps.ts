// What a credential may do in one order and in one day, and how much of the day is used (RK1, RK3).
import type { CommandOf } from './plain.ts';
import type { Refusals } from './refusal.ts';
import { type Credential, familyOf, type NaiveOrder, notionalOf, type World } from './world.ts';

export type Caps = CommandOf<'place_order'>['caps'];

export interface CapFacts {
  readonly accountId: string;
  readonly notional: bigint;
  /** What the day's cap is held against; null for sells, which it never refuses. */
  readonly forDay: bigint | null;
  /** An order being amended is not counted with what it rests now. */
  readonly exceptOrderId: number | null;
}

export function checkCaps(world: World, caps: Caps, facts: CapFacts, refusals: Refusals): void {
  if (caps === null) return;
  const { tier, orderMax, dayMax } = caps;
  if (orderMax !== null && facts.notional > orderMax) {
    refusals.add('TIER_LIMIT_EXCEEDED', { tier, cap: orderMax });
  } else if (dayMax !== null && facts.forDay !== null) {
    const used = scopesOf(world, facts.accountId, caps).map(
      (scope) => usedIn(world, scope) + restingIn(world, scope, facts.exceptOrderId),
    );
    const most = used.reduce((larger, each) => (each > larger ? each : larger));
    if (most + facts.forDay > dayMax) {
      const resetsAtMs = (Math.floor(world.nowMs / 86_400_000) + 1) * 86_400_000;
      const details = { tier, cap: dayMax, used: most, resets_at_ms: resetsAtMs };
      refusals.add('TIER_LIMIT_EXCEEDED', details);
    }
  }
}

/** Filled or minted today on behalf of a credential. */
export function recordUse(
  world: World,
  accountId: string,
  credential: Credential | null,
  amount: bigint,
): void {
  if (credential === null) return;
  for (const scope of scopesOf(world, accountId, credential))
    world.daily.set(today(world, scope), usedIn(world, scope) + amount);
}

export const credentialOf = (caps: Caps): Credential | null =>
  caps === null ? null : { tier: caps.tier, keyId: caps.keyId };

function scopesOf(world: World, accountId: string, credential: Credential): string[] {
  const family = familyOf(world, accountId);
  return [`key|${credential.keyId}`, `family|${family}|${credential.tier}`];
}

function today(world: World, scope: string): string {
  return `${Math.floor(world.nowMs / 86_400_000)}|${scope}`;
}

function usedIn(world: World, scope: string): bigint {
  return world.daily.get(today(world, scope)) ?? 0n;
}

/** Limit × what rests, of buys and sells alike. */
function restingIn(world: World, scope: string, exceptOrderId: number | null): bigint {
  let sum = 0n;
  for (const order of world.orders) {
    if (order.id !== exceptOrderId && belongsTo(world, order, scope))
      sum += notionalOf(order.lots - order.filledLots, order.price);
  }
  return sum;
}

function belongsTo(world: World, order: NaiveOrder, scope: string): boolean {
  const { accountId, credential } = order;
  return credential !== null && scopesOf(world, accountId, credential).includes(scope);
}
