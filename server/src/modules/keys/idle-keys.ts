// Ends anonymous keys without a request for a week, with their accounts in the sandbox.
import { limits } from '@sibyl/contract';
import { type AccountId, asAccountId, type CommandBody, type State } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import type { Job } from '../../handling/job.ts';
import type { KeyRecord } from '../../ports/platform.ts';
import { endAnonymous, type RevocationParts } from './revocation.ts';

export interface IdleKeyParts extends Pick<RevocationParts, 'platform' | 'webhooks'> {
  readonly sandbox: Lane;
  readonly clock: Clock;
  /** Writes down uses of keys that are still only remembered. */
  readonly flushUses: () => Promise<void>;
  readonly notify?: (message: string) => void;
}

const PORTION = 500;
const NEWEST = { limit: 1, after: null };

const HOUR_MS = 3_600_000;

export function idleKeys(parts: IdleKeyParts): Job {
  const run = async (): Promise<void> => {
    const ended = await endIdleKeys(parts);
    if (ended.length > 0) parts.notify?.(`${ended.length} idle sandbox keys were closed`);
  };
  return { name: 'idle_keys', lane: 'sandbox', schedule: { everyMs: HOUR_MS }, once: true, run };
}

/** Returns the public ids of the keys that it ended. */
export async function endIdleKeys(parts: IdleKeyParts): Promise<readonly string[]> {
  const { platform, clock } = parts;
  await parts.flushUses();
  const ended = await endStranded(parts);
  for (let after = ''; ; ) {
    const keys = await platform.selfServeKeys(after, PORTION);
    for (const key of keys) {
      if (key.userId !== null || !isIdle(key, clock.wallMs())) continue;
      // The key ends first: it must never lead to an account that is gone.
      await endAnonymous(parts, key, clock.wallMs());
      await closeAccount(parts.sandbox, key);
      ended.push(key.publicId);
    }
    const last = keys.at(-1);
    if (last === undefined || keys.length < PORTION) return ended;
    after = last.publicId;
  }
}

/** Accounts whose key was revoked before the process ended in the middle, or by its holder. */
async function endStranded(parts: IdleKeyParts): Promise<string[]> {
  const { platform, sandbox, clock } = parts;
  const ended: string[] = [];
  for (const accountId of await sandbox.read(oldAccounts)) {
    // An anonymous account holds its only key itself; no other key has an account as its holder.
    const [key] = await platform.keysOf(accountId, NEWEST);
    if (key === undefined || key.revokedAtMs === null) continue;
    await endAnonymous(parts, key, clock.wallMs());
    await closeAccount(sandbox, key);
    ended.push(key.publicId);
  }
  return ended;
}

/** Without those that a reset has emptied and that their markets keep from being closed. */
function oldAccounts({ accounts, ledger, nowMs }: State): readonly AccountId[] {
  const found: AccountId[] = [];
  for (const account of accounts.values()) {
    const { id, mode, openedAtMs, family, free, openOrders, holdings } = account;
    if (mode !== 'sandbox' || nowMs - openedAtMs < limits.demo.idleMs) continue;
    const isEmpty = ledger.balance(free) === 0n && openOrders === 0 && holdings.size === 0;
    if (!isEmpty || family.markets === 0) found.push(id);
  }
  return found;
}

function isIdle({ createdAtMs, lastUsedAtMs }: KeyRecord, nowMs: number): boolean {
  return nowMs - Math.max(createdAtMs, lastUsedAtMs ?? 0) >= limits.demo.idleMs;
}

/** An account with markets or subaccounts cannot be closed: it is emptied instead. */
async function closeAccount(lane: Lane, { accounts }: KeyRecord): Promise<void> {
  const accountId = asAccountId(accounts.sandbox);
  const bodies: readonly CommandBody[] = [
    { type: 'close_account', accountId },
    { type: 'reset_account', accountId },
  ];
  for (const body of bodies) {
    const { answer } = await lane.submit({
      body,
      actor: { kind: 'system' },
      requestId: 'idle-keys',
    });
    if (answer.ok) return;
  }
}
