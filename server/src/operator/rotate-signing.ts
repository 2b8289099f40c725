// sibyl rotate-signing-key: a new wrapping key for the signing secrets of a stopped server.
import { systemRandom } from '../adapters/node/random.ts';
import { readGenerations, writeGenerations } from '../adapters/node/signing-generations.ts';
import { ownerOf } from '../signing/signing-secrets.ts';
import { opens, requireSigning, signingVault } from '../stores/open-signing.ts';
import type { RecordLocation } from '../stores/records.ts';
import { offline } from './offline-operators.ts';

const NAME_BYTES = 32;

/**
 * Seals every secret anew, in one transaction. The file names both generations before and the new one alone after it: wherever
 * this is cut off, a server opens them all, and doing it again ends it. Secrets that do not open are an error, unless those that
 * are lost are to be dropped.
 */
export function rotateSigningKey(
  location: RecordLocation,
  dropsLost = false,
): Promise<{ readonly resealed: number; readonly dropped: number }> {
  const act = { operation: 'rotateSigningKey', target: 'signing secrets' };
  return offline(location, act, async (_operators, _passwords, platform, secrets) => {
    if (!dropsLost) await requireSigning(location.dataDir, platform.signing, secrets);
    const known = readGenerations(location.dataDir);
    const name = Buffer.from(systemRandom.bytes(NAME_BYTES)).toString('hex');
    writeGenerations(location.dataDir, [name, ...known]);
    const vault = signingVault(secrets, [name, ...known]);
    let dropped = 0;
    const all = await platform.signing.resealAll((secret) => {
      if (dropsLost && !opens(vault, secret)) {
        dropped += 1;
        return null;
      }
      const owner = ownerOf(secret.publicId);
      return vault.seal(vault.open(secret.sealed, owner), owner);
    });
    writeGenerations(location.dataDir, [name]);
    return { resealed: all - dropped, dropped };
  });
}
