// A tier as it is kept, and as the contract knows it.
import { type Tier, tiers } from '@sibyl/contract';
import { assert } from '@sibyl/money';

export function tierOf(text: string): Tier {
  const tier = tiers.find((known) => known === text);
  assert(tier !== undefined, `a key of tier ${text}`);
  return tier;
}
