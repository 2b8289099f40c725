// An authenticator, as RFC 6238 describes it: it knows a seed and the time, and shows six digits.
import { createHmac } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** The code at a time, or some steps off it. */
export function codeAt(secret: string, atMs: number, stepsOff = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS) + stepsOff));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000;
  return String(number).padStart(6, '0');
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'));
  const whole = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(whole.map((byte) => Number.parseInt(byte, 2)));
}
