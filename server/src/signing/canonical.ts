// What a signature is over, to the byte: the method, the path with its query as it was sent, the time and the body.
import { hash, timingSafeEqual } from 'node:crypto';
import type { SignedHead } from './signed-head.ts';
import type { SigningKey } from './signing-key.ts';

export interface SignedRequest {
  readonly method: string;
  /** With its query, exactly as it was sent. */
  readonly path: string;
  readonly body: Uint8Array | string;
}

/** Of variant A a text of ASCII; variant B signs the body itself, whose bytes may be any. */
export type Canonical = string | Uint8Array;

/**
 * Of variant B nothing says where the path ends and the body begins: that is clear only because a body is JSON in braces, and because
 * what takes no body is refused with one before it comes here.
 */
export function canonicalOf(head: SignedHead, { method, path, body }: SignedRequest): Canonical {
  if (head.variant === 'A') {
    return `${method}\n${path}\n${head.timestamp}\n${head.nonce}\n${hash('sha256', body, 'hex')}`;
  }
  return Buffer.concat([Buffer.from(`${head.timestamp}${method}${path}`), Buffer.from(body)]);
}

const DIGEST_BYTES = 32;
/** Of the one signature that is being checked. */
const expected = Buffer.alloc(DIGEST_BYTES);
const sent = Buffer.alloc(DIGEST_BYTES);

/** The time it takes does not tell where the two differ. */
export function isSignedBy(key: SigningKey, head: SignedHead, canonical: Canonical): boolean {
  key.digest(canonical, expected);
  const length = sent.write(head.signature, head.variant === 'A' ? 'hex' : 'base64');
  return length === DIGEST_BYTES && timingSafeEqual(sent, expected);
}

export function canonicalHash(canonical: Canonical): string {
  return hash('sha256', canonical, 'hex');
}
