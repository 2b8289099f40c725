// Which of two keys can do more: a key has power only over what was made by one that can do no more than itself.
import { permissions, tiers } from '@sibyl/contract';
import type { LaneName } from './handler.ts';

interface Strength {
  readonly permissions: readonly string[];
  readonly tier: string;
}

/** The strongest permission of the other, or else its tier, that the key lacks; null if it has as much. */
export function lacking(key: Strength, other: Strength, environment: LaneName): string | null {
  const strongest = strongestOf(other);
  if (isAbove(permissions, strongest, strongestOf(key))) return strongest;
  // Tiers have caps in the live lane alone.
  return environment === 'live' && isAbove(tiers, other.tier, key.tier) ? other.tier : null;
}

function strongestOf(key: Strength): string {
  return permissions.findLast((permission) => key.permissions.includes(permission)) ?? '';
}

/** Each word stands behind those that allow less. */
function isAbove(words: readonly string[], one: string, other: string): boolean {
  return words.indexOf(one) > words.indexOf(other);
}
