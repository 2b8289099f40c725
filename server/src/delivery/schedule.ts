// When a delivery is tried again, and when an endpoint is given up.
import { limits } from '@sibyl/contract';
import type { Random } from '../ports/random.ts';

const { webhook } = limits;

/** Waits grow by up to a fifth: receivers that failed together are not tried again together. */
const JITTER = 0.2;

/** The wait before the next attempt after `attempts` of them; null when that was the last. */
export function retryDelayMs(attempts: number, random: Random): number | null {
  const delayMs = webhook.attemptDelaysMs[attempts];
  if (delayMs === undefined) return null;
  const [high = 0, low = 0] = random.bytes(2);
  return delayMs + Math.floor((delayMs * JITTER * (high * 256 + low)) / 65_536);
}
