// Keys that were minted with a key, and with those in turn: they end with it.
import type { ApiKey } from '@sibyl/sdk';

export function childrenOf(keys: readonly ApiKey[], keyId: string): readonly ApiKey[] {
  const found: ApiKey[] = [];
  const parents = new Set([keyId]);
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const key of keys) {
      if (key.minted_by === null || !parents.has(key.minted_by) || parents.has(key.key_id))
        continue;
      parents.add(key.key_id);
      isGrowing = true;
      if (key.status === 'active') found.push(key);
    }
  }
  return found;
}
