// A report of a deposit as a custody service sends it, for tests.
import { createHmac } from 'node:crypto';

export const CUSTODY_SECRET = 'a secret that only the two know';

interface Signing {
  readonly secret?: string;
  readonly atMs?: number;
  /** What is signed, where that is not what is sent. */
  readonly signed?: string;
}

let lastMs = 0;

/** Its headers and body; signed at the time of now, or a little later, so that no two are the same call. */
export function signedReport(report: object, signing: Signing = {}) {
  lastMs = Math.max(Date.now(), lastMs + 1);
  const { secret = CUSTODY_SECRET, atMs = lastMs } = signing;
  const body = JSON.stringify(report);
  const text = `${atMs}.${signing.signed ?? body}`;
  const headers = {
    'content-type': 'application/json',
    'x-sibyl-timestamp': String(atMs),
    'x-sibyl-signature': createHmac('sha256', secret).update(text).digest('hex'),
  };
  return { headers, body };
}
