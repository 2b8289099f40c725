// What a signature is over, to the byte: the method, the path with its query as it was sent, the time and the body.
import { hash } from 'node:crypto';
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

export function isSignedBy(key: SigningKey, head: SignedHead, canonical: Canonical): boolean {
  const { variant, signature } = head;
  return variant === 'A'
    ? isSame(key.digest(canonical, 'hex'), signature.toLowerCase())
    : isSame(key.digest(canonical, 'base64'), signature);
}

/** The time it takes does not tell where the two differ. To compare them as bytes by node:crypto would be three calls more. */
function isSame(expected: string, sent: string): boolean {
  let difference = expected.length ^ sent.length;
  for (let at = 0; at < expected.length; at += 1) {
    difference |= expected.charCodeAt(at) ^ sent.charCodeAt(at);
  }
  return difference === 0;
}

export function canonicalHash(canonical: Canonical): string {
  return hash('sha256', canonical, 'hex');
}
