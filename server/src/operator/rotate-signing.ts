// sibyl rotate-signing-key: a new wrapping key for the signing secrets of a stopped server.
import { systemRandom } from '../adapters/node/random.ts';
import { readGenerations, writeGenerations } from '../adapters/node/signing-generations.ts';
import { ownerOf } from '../signing/signing-secrets.ts';
import { signingVault } from '../stores/open-signing.ts';
import type { RecordLocation } from '../stores/records.ts';
import { offline } from './offline-operators.ts';

const NAME_BYTES = 32;

/**
 * Seals every secret anew, in one transaction. The file names both generations before and the new one alone after it: wherever
 * this is cut off, a server opens them all, and doing it again ends it. How many there are.
 */
export function rotateSigningKey(location: RecordLocation): Promise<number> {
  const act = { operation: 'rotateSigningKey', target: 'signing secrets' };
  return offline(location, act, async (_operators, _passwords, platform, secrets) => {
    const known = readGenerations(location.dataDir);
    const name = Buffer.from(systemRandom.bytes(NAME_BYTES)).toString('hex');
    writeGenerations(location.dataDir, [name, ...known]);
    const vault = signingVault(secrets, [name, ...known]);
    const count = await platform.signing.resealAll((publicId, sealed) =>
      vault.seal(vault.open(sealed, ownerOf(publicId)), ownerOf(publicId)),
    );
    writeGenerations(location.dataDir, [name]);
    return count;
  });
}
