// A user as operators see one before they help.

import type { FoundUser } from '@sibyl/contract';
import { asAccountId, isOpenWithdrawal, type LaneName } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { isoTime } from '../handling/handler.ts';
import { withdrawalsHeldUntilMs } from '../handling/withdrawal-hold.ts';
import type { UserRecord } from '../ports/platform.ts';
import { codeUsedMs } from '../proof/totp.ts';
import { amountText } from '../wire/amounts.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import type { OperatorParts } from './parts.ts';

type Parts = Pick<OperatorParts, 'platform' | 'opened' | 'clock'>;
const laneNames = ['live', 'sandbox'] as const;

type Withdrawals = Pick<FoundUser, 'withdrawals_open' | 'withdrawals_open_amount'>;

export async function userView(parts: Parts, user: UserRecord): Promise<FoundUser> {
  const { platform, clock } = parts;
  const { userId, email, createdAtMs } = user;
  const nowMs = clock.wallMs();
  const profile = await platform.profiles.of(userId);
  const signedInMs = await platform.sessions.lastBegunMs(userId);
  const heldUntilMs = await withdrawalsHeldUntilMs(platform, userId, nowMs);
  return {
    user_id: userId,
    email_masked: masked(email),
    email_verified: (profile?.emailVerifiedAtMs ?? null) !== null,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    declared_country: profile?.country ?? null,
    accounts: await accountsOf(parts, user),
    factors: await factorsOf(parts, userId),
    recovery_codes_left: await platform.factors.recoveryCodesLeft(userId),
    last_sign_in_at: isoTimeOrNull(signedInMs),
    last_sign_in_at_ms: signedInMs,
    sessions_open: (await platform.sessions.of(userId, nowMs)).length,
    ...(await openWithdrawals(parts, user)),
    withdrawals_held_until_at: isoTimeOrNull(heldUntilMs),
    withdrawals_held_until_at_ms: heldUntilMs,
  };
}

/** Enough to know it again by, and too little to write to. */
function masked(email: string): string {
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
}

/** Whoever cannot get in is helped while a lane stands still too. */
function runningLane({ opened }: Pick<Parts, 'opened'>, name: LaneName): Lane | null {
  const lane = opened[name]?.lane;
  return lane === undefined || lane.status().state === 'stopped' ? null : lane;
}

async function accountsOf({ opened }: Parts, { accounts }: UserRecord) {
  const found: FoundUser['accounts'] = [];
  for (const name of laneNames) {
    const lane = runningLane({ opened }, name);
    if (lane === null) continue;
    const id = asAccountId(accounts[lane.name]);
    const account = await lane.read((state) => state.accounts.get(id));
    if (account === undefined) continue;
    found.push({
      lane: lane.name,
      account_id: id,
      frozen: account.frozen,
      frozen_by_operator: account.frozenByOperator,
      frozen_message: account.frozenReason,
      closed_at: isoTimeOrNull(account.closedAtMs),
      closed_at_ms: account.closedAtMs,
    });
  }
  return found;
}

async function factorsOf({ platform }: Parts, userId: string): Promise<FoundUser['factors']> {
  const totp = await platform.factors.totpOf(userId);
  const sinceMs = totp?.confirmedAtMs ?? null;
  const passkeys = await platform.factors.passkeysOf(userId);
  return [
    ...(totp === null || sinceMs === null ? [] : [factorView('totp', sinceMs, codeUsedMs(totp))]),
    ...passkeys.map((each) => factorView('passkey', each.createdAtMs, each.lastUsedAtMs)),
  ];
}

function factorView(
  kind: FoundUser['factors'][number]['kind'],
  sinceMs: number,
  usedMs: number | null,
): FoundUser['factors'][number] {
  return {
    kind,
    since_at: isoTime(sinceMs),
    since_at_ms: sinceMs,
    last_used_at: isoTimeOrNull(usedMs),
    last_used_at_ms: usedMs,
  };
}

/** Of the account and its subaccounts. */
async function openWithdrawals(parts: Parts, { accounts }: UserRecord): Promise<Withdrawals> {
  const lane = runningLane(parts, 'live');
  if (lane === null) return { withdrawals_open: null, withdrawals_open_amount: null };
  const amounts = await lane.read((state) => {
    const { members = [] } = state.accounts.get(asAccountId(accounts.live))?.family ?? {};
    return [...members]
      .flatMap(({ id }) => state.funds.withdrawalsOf(id))
      .filter(isOpenWithdrawal)
      .map(({ amount }): bigint => amount);
  });
  const sum = amounts.reduce((total, each) => total + each, 0n);
  return { withdrawals_open: amounts.length, withdrawals_open_amount: amountText(sum) };
}
