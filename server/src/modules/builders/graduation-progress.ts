// How much is left until a key graduates.
import { limits, type OperationOutput } from '@sibyl/contract';
import { assert, parseMoney } from '@sibyl/money';
import { boundTo } from '../../handling/credentials.ts';
import { heldKeys } from '../../handling/held-keys.ts';
import type { AttributedVolume } from '../../ports/attributed-volume.ts';
import type { KeyRecord, PlatformStore, UserRecord } from '../../ports/platform.ts';
import { amountText } from '../../wire/amounts.ts';

type Graduation = NonNullable<OperationOutput<'getBuilder'>['graduation']>;

const DAY_MS = 86_400_000;

export interface GraduationParts {
  readonly platform: PlatformStore;
  /** Null where the sandbox is not run. */
  readonly volume: AttributedVolume | null;
}

/** Keys graduate one by one, so the one with the most counts; today is in it, since it will be closed at midnight. */
export async function graduationOf(
  { platform, volume }: GraduationParts,
  user: UserRecord,
  nowMs: number,
): Promise<Graduation> {
  const today = Math.floor(nowMs / DAY_MS);
  const firstDay = today - limits.graduation.windowDays + 1;
  let most = 0n;
  for (const { publicId } of await candidates(platform, user.userId)) {
    const traded = (await volume?.ofKey(publicId, firstDay, today)) ?? 0n;
    if (traded > most) most = traded;
  }
  const threshold = thresholdMicro();
  const remaining = most >= threshold ? 0n : threshold - most;
  return {
    volume_30d: amountText(most),
    threshold: amountText(threshold),
    remaining: amountText(remaining),
  };
}

/** As graduation itself chooses them. */
async function candidates(platform: PlatformStore, userId: string): Promise<readonly KeyRecord[]> {
  const found: KeyRecord[] = [];
  for await (const key of heldKeys(platform, userId)) {
    const isOwn = boundTo(key) === null;
    const isCandidate =
      key.tier === limits.graduation.from && key.mintedAt === 'live' && key.revokedAtMs === null;
    if (isOwn && isCandidate) found.push(key);
  }
  return found;
}

function thresholdMicro(): bigint {
  const parsed = parseMoney(limits.graduation.volume, 'USDT');
  assert(parsed.ok, 'the threshold is an amount');
  return parsed.value;
}
