// Calls between the exchange and its custody service: signed with the secret of the two, good for minutes, and once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallFault, CustodyCall, CustodyCalls } from '../../ports/custody.ts';

/** How far the clocks of the two may be apart. */
const SKEW_MAX_MS = 300_000;

export function signatureOf(secret: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

export class SignedCalls implements CustodyCalls {
  readonly #secret: string;
  readonly #wallMs: () => number;
  /** Signatures that were taken, with the time of that: the oldest first. Only who knows the secret adds to them. */
  readonly #taken = new Map<string, number>();

  constructor({ secret, wallMs }: { readonly secret: string; readonly wallMs: () => number }) {
    this.#secret = secret;
    this.#wallMs = wallMs;
  }

  faultIn({ timestamp, signature, body }: CustodyCall): CallFault | null {
    const expected = signatureOf(this.#secret, timestamp, body);
    const given = Buffer.from(signature, 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
    const nowMs = this.#wallMs();
    const isTime = /^[0-9]{1,15}$/.test(timestamp);
    if (!isTime || Math.abs(nowMs - Number(timestamp)) > SKEW_MAX_MS) return 'skewed';
    this.#forget(nowMs);
    // As it was worked out here: the same bytes can be written in more than one way.
    const name = expected.toString('base64');
    if (this.#taken.has(name)) return 'repeated';
    this.#taken.set(name, nowMs);
    return null;
  }

  /** A call that was taken at the earliest moment of its time is out of it after twice the skew. */
  #forget(nowMs: number): void {
    for (const [name, takenAtMs] of this.#taken) {
      if (nowMs - takenAtMs <= 2 * SKEW_MAX_MS) return;
      this.#taken.delete(name);
    }
  }
}
