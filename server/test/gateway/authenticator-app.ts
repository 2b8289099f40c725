// An authenticator as people have it on their telephones: it knows a seed and the time, and shows a code.
import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;

/** The code at a time, or some steps off it. */
export function codeAt(secret: string, atMs: number, stepsOff = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: atMs + stepsOff * STEP_MS });
}
