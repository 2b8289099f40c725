// Withdrawals wait after a change of the password or of a factor, so that whoever got in cannot take the money at once.
import { limits } from '@sibyl/contract';
import type { PlatformStore } from '../ports/platform.ts';

/** Until when withdrawals of the user are held; null if they are not. */
export async function withdrawalsHeldUntilMs(
  platform: Pick<PlatformStore, 'factors'>,
  userId: string,
  nowMs: number,
): Promise<number | null> {
  const changedAtMs = await platform.factors.changedAtMs(userId);
  if (changedAtMs === null) return null;
  const untilMs = changedAtMs + limits.factors.withdrawalHoldMs;
  return untilMs > nowMs ? untilMs : null;
}
