// Signed requests, put together from what the server has: secrets at rest, and the nonces that the journals remember.
import type { Tier } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import { type Journal, systemClock } from '@sibyl/lane';
import { systemRandom } from '../adapters/node/random.ts';
import { readGenerations } from '../adapters/node/signing-generations.ts';
import { Vault } from '../delivery/vault.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';
import { recallNonces } from '../signing/journaled-nonces.ts';
import { RotatingVault } from '../signing/rotating-vault.ts';
import { SigningSecrets } from '../signing/signing-secrets.ts';

/** The wrapping key of a generation follows from the secrets of the folder and its name. */
export function signingVault(
  secrets: Secrets,
  [newest, ...older]: readonly [string, ...string[]],
): RotatingVault {
  const vaultOf = (generation: string): Vault =>
    new Vault(secrets, systemRandom, `signing secrets ${generation}`);
  return new RotatingVault(vaultOf(newest), older.map(vaultOf));
}

export async function openSigning(
  settings: { readonly dataDir: string; readonly signingTiers: readonly Tier[] },
  parts: {
    readonly platform: PlatformStore;
    readonly secrets: Secrets;
    readonly opened: Readonly<Partial<Record<LaneName, { readonly journal: Journal }>>>;
  },
): Promise<SigningSecrets> {
  const { platform, secrets, opened } = parts;
  const signing = new SigningSecrets({
    store: platform.signing,
    vault: signingVault(secrets, readGenerations(settings.dataDir)),
    secrets,
    random: systemRandom,
    tiers: settings.signingTiers,
  });
  // Where nobody can sign there is nothing to look for, and a long journal to look through.
  if (await platform.signing.hasSecrets()) {
    for (const { journal } of Object.values(opened)) {
      await recallNonces(journal, signing.nonces, {
        wallMs: systemClock.wallMs(),
        monotonicMs: systemClock.monotonicMs(),
      });
    }
  }
  return signing;
}
