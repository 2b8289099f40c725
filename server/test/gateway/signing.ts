// Signing as the gateways of tests have it.
import type { Tier } from '@sibyl/contract';
import { systemRandom } from '../../src/adapters/node/random.ts';
import type { PlatformStore } from '../../src/ports/platform.ts';
import type { Random } from '../../src/ports/random.ts';
import type { Secrets } from '../../src/ports/secrets.ts';
import { SigningSecrets } from '../../src/signing/signing-secrets.ts';
import { signingVault } from '../../src/stores/open-signing.ts';

export function signingOf(
  platform: PlatformStore,
  secrets: Secrets,
  tiers: readonly Tier[] = [],
  random: Random = systemRandom,
): SigningSecrets {
  const vault = signingVault(secrets, ['1']);
  return new SigningSecrets({
    ...{ store: platform.signing, vault, secrets, random, tiers },
  });
}
