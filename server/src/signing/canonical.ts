// What a signature is over, to the byte: the method, the path with its query as it was sent, the time and the body.
import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { SignedHead } from './signed-head.ts';

export interface SignedRequest {
  readonly method: string;
  /** With its query, exactly as it was sent. */
  readonly path: string;
  readonly body: Uint8Array | string;
}

const NEWLINE = '\n';

/**
 * Variant B signs the body itself, so its canonical text is bytes. Nothing in it says where the path ends and the body begins: that is
 * clear only because a body is JSON in braces, and because what takes no body is refused with one before it comes here.
 */
export function canonicalOf(head: SignedHead, { method, path, body }: SignedRequest): Uint8Array {
  if (head.variant === 'A') {
    const lines = [method, path, head.timestamp, head.nonce, hash('sha256', body, 'hex')];
    return Buffer.from(lines.join(NEWLINE));
  }
  return Buffer.concat([Buffer.from(`${head.timestamp}${method}${path}`), Buffer.from(body)]);
}

/** The time it takes does not tell where the two differ. */
export function isSignedBy(secret: KeyObject, head: SignedHead, canonical: Uint8Array): boolean {
  const expected = createHmac('sha256', secret).update(canonical).digest();
  const sent = Buffer.from(head.signature, head.variant === 'A' ? 'hex' : 'base64');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

export function canonicalHash(canonical: Uint8Array): string {
  return hash('sha256', canonical, 'hex');
}
