// Keys as lists and events show them, with what operators have made of their tiers.

import type { KeyView } from './delivery/key-events.ts';
import { keyTermsOf } from './gateway/key-terms.ts';
import { apiKey } from './modules/keys/key.ts';
import type { PlatformStore } from './ports/platform.ts';

export function keyViewOf(platform: PlatformStore): KeyView {
  const terms = keyTermsOf(platform);
  return {
    show: (key, nowMs) => apiKey(terms, key, nowMs),
    limitsOf: async (key, atMs) => (await terms.termsOf(key, atMs)).limits,
  };
}
