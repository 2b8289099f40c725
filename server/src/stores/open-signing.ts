// Signed requests, put together from what the server has: secrets at rest, and the nonces that the journals remember.
import path from 'node:path';
import type { Tier } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import { type Journal, systemClock } from '@sibyl/lane';
import { systemRandom } from '../adapters/node/random.ts';
import { GENERATIONS_FILE, readGenerations } from '../adapters/node/signing-generations.ts';
import { Vault } from '../delivery/vault.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { SealedSecret, SigningStore } from '../ports/signing.ts';
import type { SecretVault } from '../ports/vault.ts';
import { recallNonces } from '../signing/journaled-nonces.ts';
import { RotatingVault } from '../signing/rotating-vault.ts';
import { ownerOf, SigningSecrets } from '../signing/signing-secrets.ts';

/** The wrapping key of a generation follows from the secrets of the folder and its name. */
export function signingVault(
  secrets: Secrets,
  [newest, ...older]: readonly [string, ...string[]],
): RotatingVault {
  const vaultOf = (generation: string): Vault =>
    new Vault(secrets, systemRandom, `signing secrets ${generation}`);
  return new RotatingVault(vaultOf(newest), older.map(vaultOf));
}

/** Secrets that were sealed under a name that is gone open for nobody: a start says so, and not the first who signs. */
class GenerationsLost extends Error {
  override readonly name = 'GenerationsLost';
}

/** Throws where a secret that is kept does not open with what the folder has. */
export async function requireSigning(
  dataDir: string,
  store: Pick<SigningStore, 'sealed'>,
  secrets: Secrets,
): Promise<void> {
  const vault = signingVault(secrets, readGenerations(dataDir));
  const kept = await store.sealed();
  const lost = kept.filter((secret) => !opens(vault, secret)).length;
  if (lost === 0) return;
  throw new GenerationsLost(
    `${lost} of ${kept.length} signing secrets do not open: ${path.join(dataDir, GENERATIONS_FILE)} is missing or older than they are; copy it there from the newest backup (its file of the same name), then chmod 400 it; without one, sibyl rotate-signing-key --drop-lost destroys them, and those who sign draw new ones`,
  );
}

export function opens(vault: SecretVault, { publicId, sealed }: SealedSecret): boolean {
  try {
    vault.open(sealed, ownerOf(publicId));
    return true;
  } catch {
    return false;
  }
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
  if ((await platform.signing.sealed()).length > 0) {
    for (const { journal } of Object.values(opened)) {
      await recallNonces(journal, signing.nonces, {
        wallMs: systemClock.wallMs(),
        monotonicMs: systemClock.monotonicMs(),
      });
    }
  }
  return signing;
}
