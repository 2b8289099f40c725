// The trading accounts of a user: one in each lane, opened by the lane's own command.
import { type AccountId, asAccountId, type CommandBody, type LaneName } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';

export type Lanes = Readonly<Partial<Record<LaneName, Lane>>>;

/** Opens what is not open yet, and makes a demo account that the user brought along one of theirs; the same again changes nothing. A lane that is down is left for the next login. */
export async function openAccounts(
  lanes: Lanes,
  platform: PlatformStore,
  user: UserRecord,
  requestId: string,
): Promise<void> {
  for (const lane of Object.values(lanes)) {
    if (!isServing(lane)) continue;
    const accountId = asAccountId(user.accounts[lane.name]);
    const mode = await lane.read((state) => state.accounts.get(accountId)?.mode);
    if (mode !== undefined && mode !== 'demo') continue;
    const referrerId = await referrerOf(lanes, platform, user, lane, requestId);
    const body: CommandBody =
      mode === 'demo'
        ? { type: 'register_demo', accountId, referrerId }
        : { type: 'open_account', accountId, mode: lane.name, parentId: null, referrerId };
    const { answer } = await lane.submit({ body, actor: { kind: 'system' }, requestId });
    if (!answer.ok) throw new Error(`${body.type} of ${accountId}: ${answer.rejection.code}`);
  }
}

/** The engine wants the referrer's account to be there before it is named. */
async function referrerOf(
  lanes: Lanes,
  platform: PlatformStore,
  user: UserRecord,
  lane: Lane,
  requestId: string,
): Promise<AccountId | null> {
  if (user.referrerId === null) return null;
  const referrer = await platform.userById(user.referrerId);
  if (referrer === null) return null;
  await openAccounts(lanes, platform, referrer, requestId);
  return asAccountId(referrer.accounts[lane.name]);
}

function isServing(lane: Lane): boolean {
  const { state } = lane.status();
  return state === 'running' || state === 'read_only';
}
