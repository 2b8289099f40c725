// Users set limits of their own and exclude themselves.
import { actingOn } from './authority.ts';
import { isClosing, openOf } from './cancel.ts';
import type { NaiveOwnLimits } from './limit-records.ts';
import { closeOrder } from './order-state.ts';
import { awaitDay, DAY_MS, inForce, KINDS, PERIODS } from './own-limits.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { DONE, Refusals } from './refusal.ts';
import { familyAccounts, familyOf, type World } from './world.ts';

const FOR_EVER_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const AMOUNT_END = 1n << 62n;

export function setOwnLimits(world: World, command: CommandOf<'set_own_limits'>): PlainAnswer {
  const refusals = new Refusals(world);
  for (const kind of KINDS) {
    for (const period of PERIODS) {
      const amount = command.limits[kind][period];
      if (amount !== null && (amount < 0n || amount >= AMOUNT_END))
        refusals.field(`${kind}_${period}`, 'an amount or null');
    }
  }
  if (actingOn(world, command.actor, command.accountId) === undefined) refusals.add('NOT_FOUND');
  if (refusals.any) return refusals.answer();
  const ownerId = familyOf(world, command.accountId);
  const own = limitsOf(world, ownerId);
  for (const kind of KINDS) {
    for (const period of PERIODS)
      wish(world, own, `${kind}_${period}`, command.limits[kind][period]);
  }
  world.events.push({ type: 'own_limits_set', accountId: ownerId, limits: command.limits });
  return DONE;
}

export function excludeSelf(world: World, command: CommandOf<'exclude_self'>): PlainAnswer {
  const { accountId, untilMs, actor } = command;
  const refusals = new Refusals(world);
  if (!(Number.isSafeInteger(untilMs) && untilMs > world.nowMs && untilMs <= FOR_EVER_MS))
    refusals.field('until_ms', 'a later time');
  if (actingOn(world, actor, accountId) === undefined) refusals.add('NOT_FOUND');
  const ownerId = familyOf(world, accountId);
  const known = world.ownLimits.get(ownerId)?.excludedUntilMs ?? 0;
  if (known > world.nowMs && untilMs < known) refusals.add('STATE_CONFLICT', { until_ms: known });
  if (refusals.any) return refusals.answer();
  limitsOf(world, ownerId).excludedUntilMs = untilMs;
  world.events.push({ type: 'self_excluded', accountId: ownerId, untilMs });
  const members = familyAccounts(world, ownerId).map(({ id }) => id);
  for (const member of members.sort()) {
    for (const order of openOf(world, member, null)) {
      if (order.side === 'buy' && !isClosing(world, order)) closeOrder(world, order, 'user');
    }
  }
  return DONE;
}

function limitsOf(world: World, ownerId: string): NaiveOwnLimits {
  const known = world.ownLimits.get(ownerId);
  if (known !== undefined) return known;
  const own: NaiveOwnLimits = {
    wishes: new Map(),
    excludedUntilMs: 0,
    movements: [],
    starts: new Map(PERIODS.map((period) => [period, 0])),
    rollsAtMs: 0,
  };
  world.ownLimits.set(ownerId, own);
  awaitDay(world, ownerId, own);
  return own;
}

function wish(world: World, own: NaiveOwnLimits, name: string, amount: bigint | null): void {
  const current = inForce(world, own, name);
  const waiting = (own.wishes.get(name) ?? []).find(({ fromMs }) => fromMs > world.nowMs);
  const higher = current !== null && (amount === null || amount > current);
  const now = { amount: higher ? current : amount, fromMs: world.nowMs };
  if (!higher) own.wishes.set(name, [now]);
  else if (waiting === undefined || waiting.amount !== amount)
    own.wishes.set(name, [now, { amount, fromMs: world.nowMs + DAY_MS }]);
}
