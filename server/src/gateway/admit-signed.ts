// The checks of a signed request once its body is there: its signature, and then those of every other.
import { ApiError, fail } from '../handling/handler.ts';
import type { Incoming } from './exchange.ts';
import { type Admission, admit, type Route, type Services } from './gate.ts';
import type { Claim } from './signed-requests.ts';

/** Null if it may go on; the admission is filled in either way. */
export function admitSigned(
  services: Services,
  request: Incoming,
  admission: Admission,
  route: Route,
  claim: Claim,
): ApiError | null {
  const { signed, authenticator } = services;
  if (signed === null) return fail('AUTH_REQUIRED');
  const credential = signed.verify(request, route, claim);
  const { signer } = claim;
  const sinceNotedMs = admission.receivedAtMs - signer.notedAtMs;
  if (!(credential instanceof ApiError) && sinceNotedMs >= NOTED_EVERY_MS) {
    signer.notedAtMs = admission.receivedAtMs;
    authenticator.noteUse(signer.record.publicId, admission.receivedAtMs);
  }
  // Who has signed is known: what is wrong is the request itself.
  if (credential instanceof ApiError && OF_THE_REQUEST.has(credential.code)) return credential;
  return admit(services, request, admission, route, credential);
}

/** Uses are written down once a minute. */
const NOTED_EVERY_MS = 10_000;

const OF_THE_REQUEST: ReadonlySet<string> = new Set(['RATE_LIMITED', 'IDEMPOTENCY_KEY_MISSING']);
