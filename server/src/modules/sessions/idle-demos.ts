// Closes demo accounts without activity for a week, by a command each.
import { limits } from '@sibyl/contract';
import type { AccountId } from '@sibyl/engine';
import type { History, StatementReason } from '@sibyl/history';
import type { Lane } from '@sibyl/lane';
import type { Job } from '../../handling/job.ts';
import type { PlatformStore } from '../../ports/platform.ts';

export interface IdleDemoParts {
  readonly platform: PlatformStore;
  readonly sandbox: Lane;
  readonly history: History;
  readonly notify?: (message: string) => void;
}

const ENTRIES_LOOKED_AT = 100;
const HOUR_MS = 3_600_000;

const OWN_REASONS: ReadonlySet<StatementReason> = new Set([
  'deposit',
  'faucet',
  'reset',
  'transfer',
  'order_reserve',
  'trade',
  'mint',
  'merge',
  'market_deposit',
  'bond',
]);

export function idleDemos(parts: IdleDemoParts): Job {
  const run = async (): Promise<void> => {
    const closed = await closeIdleDemos(parts);
    if (closed.length > 0) parts.notify?.(`${closed.length} idle demo accounts were closed`);
  };
  return { name: 'idle_demos', lane: 'sandbox', schedule: { everyMs: HOUR_MS }, once: true, run };
}

/** Closes every one that has been idle for long enough, and gives their accounts. */
export async function closeIdleDemos(parts: IdleDemoParts): Promise<readonly AccountId[]> {
  const { sandbox, platform } = parts;
  const closed: AccountId[] = [];
  for (const accountId of await oldDemos(parts)) {
    if (!(await isIdle(parts, accountId))) continue;
    // The session ends first: it must never lead to an account that is gone. If the visitor has registered, the account stays.
    const user = await platform.userByAccount(accountId);
    if (user !== null && !(await platform.removeDemo(user.userId))) continue;
    const { answer } = await sandbox.submit({
      body: { type: 'close_account', accountId },
      actor: { kind: 'system' },
      requestId: 'idle-demos',
    });
    // Whatever stands against it, such as a market that is just closing, may be over in an hour.
    if (answer.ok) closed.push(accountId);
  }
  return closed;
}

function oldDemos({ sandbox }: IdleDemoParts): Promise<readonly AccountId[]> {
  return sandbox.read((state) => {
    const found: AccountId[] = [];
    for (const { id, mode, openedAtMs } of state.accounts.values()) {
      if (mode === 'demo' && state.nowMs - openedAtMs >= limits.demo.idleMs) found.push(id);
    }
    return found;
  });
}

/** Whatever an owner does leaves its entry in the statement, and so did the opening; payouts come by themselves. */
async function isIdle({ history, sandbox }: IdleDemoParts, accountId: AccountId): Promise<boolean> {
  const nowMs = await sandbox.read((state) => state.nowMs);
  const filter = { accountId, reason: null, marketId: null, toMs: null, before: null };
  const fromMs = nowMs - limits.demo.idleMs + 1;
  const { rows } = await history.statement({ ...filter, fromMs }, ENTRIES_LOOKED_AT);
  return !rows.some(({ reason }) => OWN_REASONS.has(reason));
}
