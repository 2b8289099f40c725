// An exclusion outlives the account: whoever closes it is not let in again under the same address before it is over.
import { asAccountId, FOR_EVER_MS } from '@sibyl/engine';
import { type ApiError, fail, isoTime } from '../../handling/handler.ts';
import type { KeptExclusion } from '../../ports/closing.ts';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Lanes } from './accounts.ts';

interface ExclusionParts {
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
}

/**
 * From real money; one from play money ends with its account. Null if the user is not excluded at the moment, or has not shown
 * that the address is the user's own: anybody could keep its owner out.
 */
export async function exclusionToKeep(
  parts: ExclusionParts,
  { live }: Lanes,
  { userId, accounts, email }: UserRecord,
  nowMs: number,
): Promise<KeptExclusion | null> {
  const untilMs = await live?.read(
    (state) => state.accounts.get(asAccountId(accounts.live))?.family.limits?.excludedUntilMs,
  );
  if (untilMs === undefined || untilMs <= nowMs) return null;
  if (!(await isVerified(parts.platform, userId))) return null;
  return { emailHash: hashOf(parts, email), untilMs };
}

/** Whether the user has shown that the address is the user's own. */
export async function isVerified(
  { profiles }: Pick<PlatformStore, 'profiles'>,
  userId: string,
): Promise<boolean> {
  return ((await profiles.of(userId))?.emailVerifiedAtMs ?? null) !== null;
}

/** Null if nobody who had the address is excluded. */
export async function keptExclusionRefusal(
  parts: ExclusionParts,
  email: string,
  nowMs: number,
): Promise<ApiError | null> {
  const untilMs = await parts.platform.closing.excludedUntilMs(hashOf(parts, email), nowMs);
  if (untilMs === null) return null;
  const details = { rule_id: 'self_exclusion', lifted_by: 'time', until_ms: untilMs };
  const until = untilMs === FOR_EVER_MS ? 'for ever' : `until ${isoTime(untilMs)}`;
  const words = `The account that this address had was closed while its owner was excluded by their own wish, ${until}: the address cannot be registered before that is over.`;
  return fail('COMPLIANCE_GATE_BLOCKED', details, words);
}

/** As the store folds addresses, so that another spelling is the same one. */
function hashOf({ secrets }: ExclusionParts, email: string): string {
  return secrets.digest('exclusion', email.toLowerCase());
}
