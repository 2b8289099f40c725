// The operator's bearer: from the environment, or made at the first start, shown once and kept as a digest.

import type { PlatformStore } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';

export interface OperatorToken {
  readonly hash: string;
  /** Only at the start that made it. */
  readonly made: string | null;
}

const SETTING = 'operator.token';
const TOKEN_LENGTH = 40;

/** A token of the environment counts for this run and does not replace the one that was made. */
export async function readOperatorToken(
  given: string | null,
  platform: PlatformStore,
  secrets: Secrets,
  random: Random,
): Promise<OperatorToken> {
  if (given !== null) return { hash: secrets.digest('operator', given), made: null };
  const stored = await platform.setting(SETTING);
  if (stored !== null) return { hash: stored, made: null };
  const made = `op_${random.token(TOKEN_LENGTH)}`;
  const hash = secrets.digest('operator', made);
  await platform.putSetting(SETTING, hash);
  return { hash, made };
}
