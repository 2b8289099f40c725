// Client secrets of apps: shown once, kept as a salted hash, and good for a day after a rotation.
import { limits } from '@sibyl/contract';
import type { AppRecord, ClientSecretHash } from '../ports/apps.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';

const ID_LENGTH = 16;
const SALT_LENGTH = 16;
const RAW_BYTES = 32;

export interface FreshSecret {
  readonly kept: ClientSecretHash;
  /** It leaves in one answer and is kept nowhere. */
  readonly raw: string;
}

export function freshSecret(
  { random, secrets }: { readonly random: Random; readonly secrets: Secrets },
  atMs: number,
): FreshSecret {
  const publicId = `acs_${random.token(ID_LENGTH)}`;
  const raw = `${publicId}_${Buffer.from(random.bytes(RAW_BYTES)).toString('base64url')}`;
  const salt = random.token(SALT_LENGTH);
  const hash = secrets.digest('token', `${salt}${raw}`);
  return { kept: { publicId, salt, hash, createdAtMs: atMs }, raw };
}

/** Whether it is a secret of the app that is good now; a public client has none. Both are looked at, so the time it takes tells nothing. */
export function isSecretOf(
  secrets: Secrets,
  { secret, previousSecret, rotatedAtMs }: AppRecord,
  raw: string,
  nowMs: number,
): boolean {
  const isOverlap = rotatedAtMs !== null && nowMs < rotatedAtMs + limits.apps.secretOverlapMs;
  const isCurrent = matches(secrets, secret, raw);
  const isPrevious = matches(secrets, previousSecret, raw);
  return isCurrent || (isPrevious && isOverlap);
}

function matches(secrets: Secrets, kept: ClientSecretHash | null, raw: string): boolean {
  const digest = secrets.digest('token', `${kept?.salt ?? 'none'}${raw}`);
  return secrets.isEqual(digest, kept?.hash ?? 'none') && kept !== null;
}
