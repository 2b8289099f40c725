// Graduation: at midnight UTC, keys that traded enough in the closed days before become read_live.
import { limits } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { assert, parseMoney } from '@sibyl/money';
import { boundTo } from '../../handling/credentials.ts';
import type { Job } from '../../handling/job.ts';
import type { AttributedVolume } from '../../ports/attributed-volume.ts';
import type { KeyRecord, PlatformStore } from '../../ports/platform.ts';

export interface GraduationParts {
  readonly platform: PlatformStore;
  readonly volume: AttributedVolume;
  readonly clock: Clock;
  /** Where a graduate's account must be open before its key leads there; undefined if not run. */
  readonly live: Lane | undefined;
  readonly notify?: (message: string) => void;
}

const DAY_MS = 86_400_000;
const PAGE = 500;
const DONE_SETTING = 'graduation.day';

/** Lifts every key whose volume of the thirty days up to `day`, closed, reaches the threshold. */
export async function graduate(parts: GraduationParts, day: number): Promise<readonly string[]> {
  const graduates: string[] = [];
  const { windowDays } = limits.graduation;
  let after = '';
  for (;;) {
    const keys = await parts.platform.selfServeKeys(after, PAGE);
    for (const key of keys) {
      // What it is bound to exists in the sandbox alone.
      if (boundTo(key) !== null) continue;
      const traded = await parts.volume.ofKey(key.publicId, day - windowDays + 1, day);
      if (traded < threshold()) continue;
      await lift(parts, key);
      graduates.push(key.publicId);
    }
    const last = keys.at(-1);
    if (last === undefined || keys.length < PAGE) return graduates;
    after = last.publicId;
  }
}

/** At the start it makes up for a midnight that passed while the server was down. */
export function keyGraduation(parts: GraduationParts): Job {
  const { platform, clock } = parts;
  const run = async (): Promise<void> => {
    const closedDay = Math.floor(clock.wallMs() / DAY_MS) - 1;
    if (Number((await platform.setting(DONE_SETTING)) ?? -1) >= closedDay) return;
    const graduates = await graduate(parts, closedDay);
    await platform.putSetting(DONE_SETTING, String(closedDay));
    if (graduates.length > 0) parts.notify?.(`${graduates.length} keys graduated`);
  };
  return { name: 'key_graduation', lane: 'sandbox', schedule: { daily: true }, once: true, run };
}

/** The account is opened first: a key must never lead to an account that is not there. */
async function lift(parts: GraduationParts, key: KeyRecord): Promise<void> {
  const { platform, live, clock } = parts;
  if (live !== undefined) await openLiveAccount(live, key);
  const { from, to, volume, windowDays } = limits.graduation;
  const reason = `${volume} USD traded within ${windowDays} days`;
  const change = { actor: 'graduation', reason, atMs: clock.wallMs() };
  await platform.setKeyTier(key.publicId, to, change);
  const user = key.userId === null ? null : await platform.userById(key.userId);
  if (user !== null && user.tier === from) await platform.setUserTier(user.userId, to, change);
}

async function openLiveAccount(live: Lane, key: KeyRecord): Promise<void> {
  const accountId = asAccountId(key.accounts.live);
  if (await live.read((state) => state.accounts.has(accountId))) return;
  const { answer } = await live.submit({
    body: { type: 'open_account', accountId, mode: 'live', parentId: null, referrerId: null },
    actor: { kind: 'system' },
    requestId: 'graduation',
  });
  if (!answer.ok) throw new Error(`${accountId} was not opened: ${answer.rejection.code}`);
}

function threshold(): bigint {
  const parsed = parseMoney(limits.graduation.volume, 'USDT');
  assert(parsed.ok, 'the threshold is an amount');
  return parsed.value;
}
