// What a credential and a grant may do in one order and in one day, and how much of the day is used (RK1, RK3, RK4, RK5).
import type { CommandOf } from './plain.ts';
import type { Refusals } from './refusal.ts';
import { familyOf, notionalOf, type World } from './world.ts';

/** What a command carries of the ceilings that hold for it. */
export type Terms = Pick<CommandOf<'place_order'>, 'caps' | 'grant'>;

export interface CapFacts {
  readonly accountId: string;
  /** What the largest order is held against. */
  readonly notional: bigint;
  /** What is added to the use of the day. */
  readonly forDay: bigint;
  /** The part of both that a sell gives away. */
  readonly given: bigint;
  /** A sell that gives nothing away is never refused by the day's cap of a tier, unless the house is to buy. */
  readonly side: 'buy' | 'sell';
  readonly isSimulated: boolean;
  /** An order being amended is not counted with what it rests now. */
  readonly exceptOrderId: number | null;
}

export function checkTermFields({ caps, grant }: Terms, refusals: Refusals): void {
  const fits = (amount: bigint | null): boolean => amount === null || amount >= 0n;
  if (caps !== null && !(fits(caps.orderMax) && fits(caps.dayMax)))
    refusals.field('caps', 'amounts that are not negative');
  if (grant === null) return;
  const { grantId, dayMax, expiresAtMs } = grant;
  const isNamed = grantId.length >= 1 && grantId.length <= 64;
  if (!(isNamed && fits(dayMax) && Number.isSafeInteger(expiresAtMs) && expiresAtMs >= 0))
    refusals.field('grant', 'an id, an amount and a time');
}

export function checkExpiry(world: World, { grant }: Terms, refusals: Refusals): void {
  if (grant !== null && world.nowMs >= grant.expiresAtMs)
    refusals.add('DELEGATION_EXPIRED', { expires_at_ms: grant.expiresAtMs });
}

export function checkCaps(world: World, terms: Terms, facts: CapFacts, refusals: Refusals): void {
  const { caps, grant } = terms;
  const { accountId, forDay, exceptOrderId } = facts;
  const given = facts.given > 0n ? { given: facts.given } : {};
  const resetsAtMs = (dayOf(world) + 1) * 86_400_000;
  const usedBy = (some: Terms): bigint =>
    scopesOf(world, accountId, some)
      .map((scope) => usedIn(world, scope) + restingIn(world, scope, exceptOrderId))
      .reduce((larger, each) => (each > larger ? each : larger), 0n);
  if (caps !== null) {
    const { tier, orderMax, dayMax: cap } = caps;
    const used = usedBy({ caps, grant: null });
    const isWhole = facts.side === 'buy' || facts.isSimulated;
    const isHeld = isWhole || facts.given > 0n;
    const more = isWhole ? forDay : facts.given;
    if (orderMax !== null && facts.notional > orderMax)
      refusals.add('TIER_LIMIT_EXCEEDED', { tier, cap: orderMax, ...given });
    else if (cap !== null && isHeld && used + more > cap)
      refusals.add('TIER_LIMIT_EXCEEDED', { tier, cap, used, resets_at_ms: resetsAtMs, ...given });
  }
  if (grant === null || grant.dayMax === null) return;
  const { dayMax: cap } = grant;
  const used = usedBy({ caps: null, grant });
  if (used + forDay > cap)
    refusals.add('DELEGATION_DAILY_CAP_EXCEEDED', {
      cap,
      used,
      resets_at_ms: resetsAtMs,
      ...given,
    });
}

/** Filled or minted today on behalf of a credential or a grant. */
export function recordUse(world: World, scopes: readonly string[], amount: bigint): void {
  for (const scope of scopes) world.daily.set(today(world, scope), usedIn(world, scope) + amount);
}

/** All that what is done on these terms counts for. */
export function scopesOf(world: World, accountId: string, { caps, grant }: Terms): string[] {
  const scopes: string[] = [];
  if (caps !== null)
    scopes.push(`key|${caps.keyId}`, `family|${familyOf(world, accountId)}|${caps.tier}`);
  if (grant !== null) scopes.push(`grant|${grant.grantId}`);
  return scopes;
}

/** UTC days since the epoch. */
export function dayOf(world: World): number {
  return Math.floor(world.nowMs / 86_400_000);
}

function today(world: World, scope: string): string {
  return `${dayOf(world)}|${scope}`;
}

function usedIn(world: World, scope: string): bigint {
  return world.daily.get(today(world, scope)) ?? 0n;
}

/** Limit × what rests, of buys and sells alike. */
function restingIn(world: World, scope: string, exceptOrderId: number | null): bigint {
  let sum = 0n;
  for (const order of world.orders) {
    if (order.id !== exceptOrderId && order.scopes.includes(scope))
      sum += notionalOf(order.lots - order.filledLots, order.price);
  }
  return sum;
}
