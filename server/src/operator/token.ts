// The bearer for automation: from the environment, or one that an earlier build made and kept as a digest.

import type { OperatorRole } from '@sibyl/contract';
import type { PlatformStore } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';

export interface OperatorToken {
  readonly hash: string;
  readonly role: OperatorRole;
}

/** What operators acted with before they had accounts: made at the first start of such builds. */
const SETTING = 'operator.token';

/** A token of the environment counts for this run and does not replace the one that was made. Null without either. */
export async function readOperatorToken(
  given: string | null,
  role: OperatorRole,
  platform: PlatformStore,
  secrets: Secrets,
): Promise<OperatorToken | null> {
  const hash = given === null ? await platform.setting(SETTING) : secrets.digest('operator', given);
  return hash === null ? null : { hash, role };
}
