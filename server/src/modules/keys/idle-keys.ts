// Ends anonymous keys without a request for a week, with their accounts in the sandbox.
import { limits } from '@sibyl/contract';
import { asAccountId, type CommandBody } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import type { KeyRecord } from '../../ports/platform.ts';
import { endAnonymous, type RevocationParts } from './revocation.ts';

export interface IdleKeyParts extends Pick<RevocationParts, 'platform' | 'webhooks'> {
  readonly sandbox: Lane;
  readonly clock: Clock;
  /** Writes down uses of keys that are still only remembered. */
  readonly flushUses: () => Promise<void>;
}

const PORTION = 500;

/** Returns the public ids of the keys that it ended. */
export async function endIdleKeys(parts: IdleKeyParts): Promise<readonly string[]> {
  const { platform, clock } = parts;
  await parts.flushUses();
  const ended: string[] = [];
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
