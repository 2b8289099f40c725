import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../adapters/node/random.ts';
import { KeyedSecrets } from '../adapters/node/secrets.ts';
import { secretOwner, Vault } from './vault.ts';

const master = randomBytes(32);
const vault = new Vault(new KeyedSecrets(master), systemRandom);
const secret = Buffer.alloc(32, 0xab);

describe('[SR3] signing secrets at rest', () => {
  it('opens what it sealed, also after a restart', () => {
    const sealed = vault.seal(secret, 'webhook wh_1 acc_1');
    const again = new Vault(new KeyedSecrets(master), systemRandom);
    expect(Buffer.from(again.open(sealed, 'webhook wh_1 acc_1'))).toEqual(secret);
  });

  it('shows nothing of the secret, and never the same twice', () => {
    const sealed = vault.seal(secret, 'a');
    expect(Buffer.from(sealed, 'base64url').includes(secret.subarray(0, 4))).toBe(false);
    expect(vault.seal(secret, 'a')).not.toBe(sealed);
  });

  it('does not open under another key, for another owner, or altered', () => {
    const owner = secretOwner({ webhookId: 'wh_1', accountId: 'acc_1' });
    const sealed = vault.seal(secret, owner);
    const stranger = new Vault(new KeyedSecrets(randomBytes(32)), systemRandom);
    expect(() => stranger.open(sealed, owner)).toThrow();
    const other = secretOwner({ webhookId: 'wh_2', accountId: 'acc_1' });
    expect(() => vault.open(sealed, other)).toThrow();
    const bytes = Buffer.from(sealed, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const altered = Buffer.from(bytes);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => vault.open(altered.toString('base64url'), owner), `byte ${index}`).toThrow();
    }
    expect(() => vault.open(bytes.subarray(0, 40).toString('base64url'), owner)).toThrow();
  });
});
