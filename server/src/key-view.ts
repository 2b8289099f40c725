// Keys as lists show them, with what operators have made of their tiers.

import { TierCeilings } from './gateway/tier-ceilings.ts';
import { apiKey } from './modules/keys/key.ts';
import type { KeyRecord, PlatformStore } from './ports/platform.ts';

type Shown = ReturnType<typeof apiKey>;

export function keyViewOf(platform: PlatformStore): (key: KeyRecord, nowMs: number) => Shown {
  return (key, nowMs) => apiKey(TierCeilings.of(platform), key, nowMs);
}
