// What users forbid themselves, and the rules that the operator says are in force.
import type { Prng } from '../prng.ts';
import type { Body } from './draw-lifecycle.ts';
import type { View } from './view.ts';

const MICRO = 1_000_000n;
const SECOND_MS = 1_000;

export function drawOwnLimits(random: Prng, view: View, nowMs: number): Body {
  const accountId = random.pick(view.accounts).id;
  const kind = random.weighted([
    [6, 'limits'],
    [2, 'exclude'],
    [2, 'compliance'],
  ] as const);
  if (kind === 'exclude') {
    // Short, or nobody would be left to trade; sometimes it is over already.
    const untilMs = nowMs + random.between(-5, 600) * SECOND_MS;
    return { type: 'exclude_self', accountId, untilMs };
  }
  if (kind === 'compliance') {
    const version = random.between(0, 40);
    return { type: 'set_compliance', version, hash: String(version).padStart(64, '0') };
  }
  const amount = (): bigint | null =>
    random.chance(1, 2)
      ? null
      : BigInt(random.chance(1, 60) ? -1 : random.pick([0, 50, 2_000, 50_000, 400_000])) * MICRO;
  const limits = () => ({ day: amount(), week: amount(), month: amount() });
  return { type: 'set_own_limits', accountId, limits: { deposit: limits(), loss: limits() } };
}
