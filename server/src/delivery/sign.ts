// Signatures of deliveries: the header of this interface and those of Standard Webhooks, under every valid secret.
import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

export interface Signing {
  /** The event's id: the same on every attempt. */
  readonly id: string;
  readonly atMs: number;
  /** Exactly what is sent. */
  readonly body: string;
  /** The current one first; a second one while a rotation is young. */
  readonly secrets: readonly Uint8Array[];
}

/** What the owner of an endpoint is given: `whsec_` and the 32 bytes in base64. */
export function secretText(secret: Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(secret).toString('base64')}`;
}

/** Ours is keyed with the secret as its owner sees it, the standard one with the bytes behind the prefix. */
export function signatureHeaders({ id, atMs, body, secrets }: Signing): Record<string, string> {
  const seconds = String(Math.floor(atMs / 1000));
  const ours = secrets.map(
    (secret) => `v1=${mac(secretText(secret), `${seconds}.${body}`).toString('hex')}`,
  );
  const standard = secrets.map(
    (secret) => `v1,${mac(secret, `${id}.${seconds}.${body}`).toString('base64')}`,
  );
  return {
    'x-svc-signature': [`t=${seconds}`, ...ours].join(','),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
  };
}

function mac(key: string | Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
