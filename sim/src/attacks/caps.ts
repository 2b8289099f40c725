// The credential of the attacks on caps: 10 USDT an order and 100 a day.
import type { TierCaps } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { USDT } from './arena.ts';

export const ORDER_MAX = 10n * USDT;
export const DAY_MAX = 100n * USDT;

export function capsOf(keyId: string): TierCaps {
  return { tier: 'self_serve', keyId, orderMax: usdt(ORDER_MAX), dayMax: usdt(DAY_MAX) };
}
