// What users forbid themselves: every movement since is kept, and added up again for each question.
import type { NaiveMovement, NaiveOwnLimits } from './limit-records.ts';
import type { Refusals } from './refusal.ts';
import { balance, familyAccounts, familyOf, reservedName, type World } from './world.ts';

export const PERIODS = ['day', 'week', 'month'] as const;
export const KINDS = ['deposit', 'loss'] as const;
export const DAY_MS = 86_400_000;

/** Of movements that have nothing to do with trading. */
const FROM_OUTSIDE = [
  ...['deposit', 'correction', 'withdrawal', 'transfer', 'faucet', 'reset'],
  ...['revenue'],
];

/** Adds the refusal of a family that has excluded itself. */
export function checkExcluded(world: World, accountId: string, refusals: Refusals): void {
  const own = world.ownLimits.get(familyOf(world, accountId));
  if (own === undefined || world.nowMs >= own.excludedUntilMs) return;
  const details = { rule_id: 'self_exclusion', lifted_by: 'time', until_ms: own.excludedUntilMs };
  refusals.add('COMPLIANCE_GATE_BLOCKED', details);
}

export function checkLoss(world: World, accountId: string, more: bigint, refusals: Refusals): void {
  const ownerId = familyOf(world, accountId);
  const own = world.ownLimits.get(ownerId);
  if (own === undefined) return;
  const reserved = familyAccounts(world, ownerId).reduce(
    (sum, { id }) => sum + balance(world, reservedName(id)),
    0n,
  );
  check(world, own, 'loss', more, refusals, (since) => {
    // What rested at the start may be lost since, and all that left free balance by trading is lost until it is back.
    let lost = reserved;
    for (const { name, amount, reason } of since) {
      const isTrading = !FROM_OUTSIDE.includes(reason);
      if (name.endsWith(':reserved') || isTrading) lost -= amount;
    }
    return lost;
  });
}

export function checkDeposit(
  world: World,
  accountId: string,
  more: bigint,
  refusals: Refusals,
): void {
  const own = world.ownLimits.get(familyOf(world, accountId));
  if (own === undefined) return;
  check(world, own, 'deposit', more, refusals, (since) =>
    since.reduce((sum, { amount, reason }) => (reason === 'deposit' ? sum + amount : sum), 0n),
  );
}

/** Every movement of free and reserved money passes here. */
export function noteMovement(world: World, name: string, amount: bigint, reason: string): void {
  const accountId = /^user:([^:]+):(?:free|reserved)$/.exec(name)?.[1];
  if (accountId === undefined) return;
  world.ownLimits.get(familyOf(world, accountId))?.movements.push({ name, amount, reason });
}

/** A day is over, and with it sometimes a week or a month. */
export function ownLimitsRing(world: World, ownerId: string): void {
  const own = world.ownLimits.get(ownerId);
  if (own === undefined) return;
  const now = new Date(world.nowMs);
  const begun = ['day'];
  if (now.getUTCDay() === 1) begun.push('week');
  if (now.getUTCDate() === 1) begun.push('month');
  for (const period of begun) own.starts.set(period, own.movements.length);
  awaitDay(world, ownerId, own);
}

/** After a reset everything is counted anew. */
export function beginOwnLimits(world: World, accountId: string): void {
  const own = world.ownLimits.get(familyOf(world, accountId));
  if (own === undefined) return;
  for (const period of PERIODS) own.starts.set(period, own.movements.length);
}

export function awaitDay(world: World, ownerId: string, own: NaiveOwnLimits): void {
  own.rollsAtMs = (Math.floor(world.nowMs / DAY_MS) + 1) * DAY_MS;
  world.timers.push({ dueMs: own.rollsAtMs, kind: 'own_limits', subject: ownerId });
}

export function inForce(world: World, own: NaiveOwnLimits, name: string): bigint | null {
  const wishes = own.wishes.get(name) ?? [];
  return wishes.filter(({ fromMs }) => fromMs <= world.nowMs).at(-1)?.amount ?? null;
}

function check(
  world: World,
  own: NaiveOwnLimits,
  kind: (typeof KINDS)[number],
  more: bigint,
  refusals: Refusals,
  usedIn: (since: readonly NaiveMovement[]) => bigint,
): void {
  for (const period of PERIODS) {
    const max = inForce(world, own, `${kind}_${period}`);
    if (max === null) continue;
    const used = usedIn(own.movements.slice(own.starts.get(period)));
    if (used + more <= max) continue;
    const details = { used, max, resets_at_ms: endOf(period, world.nowMs) };
    refusals.add('RISK_LIMIT_BREACH', { limit: `own_${kind}_${period}`, ...details });
    return;
  }
}

function endOf(period: (typeof PERIODS)[number], nowMs: number): number {
  const now = new Date(nowMs);
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (period === 'month') return Date.UTC(year, month + 1, 1);
  const days = period === 'day' ? 1 : (8 - now.getUTCDay()) % 7 || 7;
  return Date.UTC(year, month, date + days);
}
