// Signing secrets at rest: each encrypted under a key of its own, which is wrapped by one that lies in no database.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { SecretVault } from '../ports/vault.ts';

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/** What is sealed: each kind under a wrapping key of its own. */
type Contents =
  | 'webhook secrets 1'
  | 'authenticator seeds 1'
  | 'letters 1'
  | `signing secrets ${string}`;

export class Vault implements SecretVault {
  readonly #wrappingKey: Uint8Array;
  readonly #random: Random;

  constructor(secrets: Secrets, random: Random, contents: Contents = 'webhook secrets 1') {
    this.#wrappingKey = Buffer.from(secrets.digest('envelope', contents), 'base64url');
    this.#random = random;
  }

  seal(secret: Uint8Array, owner: string): string {
    const dataKey = this.#random.bytes(KEY_BYTES);
    const wrapped = this.#encrypt(this.#wrappingKey, dataKey, `${owner} key`);
    const sealed = this.#encrypt(dataKey, secret, `${owner} secret`);
    return Buffer.concat([Buffer.of(VERSION), wrapped, sealed]).toString('base64url');
  }

  open(sealed: string, owner: string): Uint8Array {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes[0] !== VERSION) throw new Error('a sealed secret of another version');
    const wrapped = bytes.subarray(1, 1 + WRAPPED_BYTES);
    const dataKey = decrypt(this.#wrappingKey, wrapped, `${owner} key`);
    return decrypt(dataKey, bytes.subarray(1 + WRAPPED_BYTES), `${owner} secret`);
  }

  #encrypt(key: Uint8Array, plain: Uint8Array, bound: string): Buffer {
    const nonce = this.#random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, text, cipher.getAuthTag()]);
  }
}

function decrypt(key: Uint8Array, sealed: Buffer, bound: string): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  const text = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(bound))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]);
}

/** What a secret is bound to: it opens for this endpoint of this account only. */
export function secretOwner(endpoint: {
  readonly webhookId: string;
  readonly accountId: string;
}): string {
  return `webhook ${endpoint.webhookId} ${endpoint.accountId}`;
}
