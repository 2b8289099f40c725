// Keys as lists and events show them, with what operators have made of their tiers.

import type { KeyView } from './delivery/key-events.ts';
import { TierCeilings } from './gateway/tier-ceilings.ts';
import { apiKey } from './modules/keys/key.ts';
import type { PlatformStore } from './ports/platform.ts';

export function keyViewOf(platform: PlatformStore): KeyView {
  const ceilings = TierCeilings.of(platform);
  return {
    show: (key, nowMs) => apiKey(ceilings, key, nowMs),
    limitsOf: async (tier, atMs) => (await ceilings.termsOf(tier, atMs)).limits,
  };
}
